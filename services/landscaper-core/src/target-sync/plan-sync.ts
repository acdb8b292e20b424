import { annotations, type Secret, type Target, type TargetSync } from "@landscaper/api";
import { annotationOf, isDeleting, nameOf, namespaceOf } from "../object-reading.ts";
import { buildSecret, buildTarget, refToSecret, type SecretFields } from "./synced-objects.ts";

/** One cluster of the source, by the name of its Secret or shoot. */
export interface SourceEntry {
  readonly name: string;
  /** Content of the Secret; undefined: the one that is there stays as it is. */
  readonly content?: Pick<SecretFields, "type" | "data"> | undefined;
  /** When the kubeconfig was fetched, for shoots. */
  readonly syncedAt?: Date | undefined;
}

/** A Target to write, after its Secret. */
export interface PlannedTarget {
  readonly target: Target;
  readonly secret?: Secret | undefined;
}

export interface SyncPlan {
  readonly writes: readonly PlannedTarget[];
  /** Why entries of the source become no Targets. */
  readonly problems: readonly string[];
  readonly wanted: WantedNames;
}

/** Names of what may stay. */
export interface WantedNames {
  readonly targets: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

/** The Target for the source cluster itself; undefined when none is wanted. */
function planTargetToSource(targetSync: TargetSync): Target | undefined {
  const { createTargetToSource, targetToSourceName = "", sourceNamespace, secretRef } = targetSync.spec;
  if (createTargetToSource !== true) return undefined;
  const name = targetToSourceName === "" ? sourceNamespace : targetToSourceName;
  return buildTarget({ namespace: namespaceOf(targetSync), name, secretRef });
}

function problemOf(targetSync: TargetSync, toSource: Target | undefined, name: string): string | undefined {
  if (name === targetSync.spec.secretRef.name) {
    return `"${name}" of the source has the name of the Secret with the kubeconfig of the source, which must not be overwritten`;
  }
  if (toSource !== undefined && name === nameOf(toSource)) {
    return `"${name}" of the source has the name of the Target to the source`;
  }
  return undefined;
}

/** Targets and Secrets that the entries of the source become (core.md §3.9). */
export function planSync(targetSync: TargetSync, entries: readonly SourceEntry[]): SyncPlan {
  const namespace = namespaceOf(targetSync);
  const toSource = planTargetToSource(targetSync);
  const writes: PlannedTarget[] = toSource === undefined ? [] : [{ target: toSource }];
  const problems: string[] = [];
  const secrets = new Set<string>();
  for (const { name, content, syncedAt } of entries) {
    const problem = problemOf(targetSync, toSource, name);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    secrets.add(name);
    const target = buildTarget({ namespace, name, secretRef: refToSecret(name), syncedAt });
    writes.push({ target, secret: content === undefined ? undefined : buildSecret({ namespace, name, ...content }) });
  }
  const targets = new Set(writes.map(({ target }) => nameOf(target)));
  return { writes, problems, wanted: { targets, secrets } };
}

/** What TargetSyncs have made in the namespace. */
export interface MadeObjects {
  readonly targets: readonly Target[];
  readonly secrets: readonly Secret[];
}

/** What is not wanted any more; never the Secret with the kubeconfig of the source, whatever its labels say. */
export function planCleanup(targetSync: TargetSync, wanted: WantedNames, made: MadeObjects): MadeObjects {
  const { name: ownSecret } = targetSync.spec.secretRef;
  return {
    targets: made.targets.filter((target) => !wanted.targets.has(nameOf(target))),
    secrets: made.secrets.filter((secret) => !wanted.secrets.has(nameOf(secret)) && nameOf(secret) !== ownSecret),
  };
}

/** Kubeconfigs of shoots are asked for with this life, and again after half of it. */
export const kubeconfigLifeSeconds = 86_400;
const refreshMs = 12 * 3_600_000;

/** Whether a shoot needs a new kubeconfig: it has no Target or Secret yet, or an old one. */
export function needsKubeconfig(name: string, made: MadeObjects, nowMs: number): boolean {
  const target = made.targets.find((candidate) => nameOf(candidate) === name && !isDeleting(candidate));
  const hasSecret = made.secrets.some((candidate) => nameOf(candidate) === name && !isDeleting(candidate));
  if (target === undefined || !hasSecret) return true;
  const syncedAtMs = Date.parse(annotationOf(target, annotations.lastTargetSync) ?? "");
  return Number.isNaN(syncedAtMs) || nowMs - syncedAtMs > refreshMs;
}
