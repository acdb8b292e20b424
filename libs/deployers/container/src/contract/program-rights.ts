import type { JobFile } from "./job-file.ts";

/** A rule of a Role; each names its objects. */
export interface NamedRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly verbs: readonly string[];
}

/** What init may do in the namespace of the Pods: read the state that it restores. No rule when there is none: a rule without names would mean all Secrets. */
export function initRules({ state }: Pick<JobFile, "state">): readonly NamedRule[] {
  const names = state.restore?.chunks.map(({ name }) => name) ?? [];
  return names.length === 0 ? [] : [ruleOf("secrets", names, ["get"])];
}

/** What wait may do there: write the Secrets of its job, and follow its own Pod. */
export function waitRules({ pod, state, exports }: Pick<JobFile, "pod" | "state" | "exports">): readonly NamedRule[] {
  // An apply that creates is authorized as a create of that name; a plain create names nothing and is refused.
  return [
    ruleOf("secrets", [exports.name, state.index.name, ...state.chunks], ["get", "create", "patch"]),
    ruleOf("pods", [pod], ["get", "list", "watch"]),
  ];
}

function ruleOf(resource: string, resourceNames: readonly string[], verbs: readonly string[]): NamedRule {
  return { apiGroups: [""], resources: [resource], resourceNames, verbs };
}
