import { trimSpace } from "@landscaper/golang";
import type { ManifestHead } from "./manifest-head.ts";

/** When a hook runs. */
export const hookEvents = [
  "pre-install",
  "post-install",
  "pre-delete",
  "post-delete",
  "pre-upgrade",
  "post-upgrade",
  "pre-rollback",
  "post-rollback",
  "test",
] as const;

/** When a hook runs. */
export type HookEvent = (typeof hookEvents)[number];

/** A manifest that is applied at an event of its release, not as a part of it. */
export interface Hook {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The template that it is from, with the chart's path. */
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  /** Hooks of one event run by weight, the lowest first. */
  readonly weight: number;
  /** As written, in lower case: "before-hook-creation", "hook-succeeded", "hook-failed" have a meaning. */
  readonly deletePolicies: readonly string[];
  /** As written, in lower case: "hook-succeeded" and "hook-failed" have a meaning. */
  readonly outputLogPolicies: readonly string[];
}

const hookAnnotation = "helm.sh/hook";
const eventsByName = new Map<string, HookEvent>([
  ...hookEvents.map((event) => [event, event] as const),
  // Of Helm v2.
  ["test-success", "test"],
]);

/** A name among the events of a hook that Helm does not know. */
export interface UnknownHook {
  readonly unknownEvents: string;
}

/** What a manifest's annotations say of hooks; undefined for a manifest that is a part of the release. */
export function readHook(
  head: ManifestHead,
  { path, manifest }: { readonly path: string; readonly manifest: string },
): Hook | UnknownHook | undefined {
  const written = head.annotations.get(hookAnnotation);
  if (written === undefined) return undefined;
  const events: HookEvent[] = [];
  for (const name of written.split(",")) {
    const event = eventsByName.get(trimSpace(name).toLowerCase());
    if (event === undefined) return { unknownEvents: written };
    events.push(event);
  }
  const { apiVersion, kind, name } = head;
  return {
    apiVersion,
    kind,
    name,
    path,
    manifest,
    events,
    weight: parseWeight(head.annotations.get(`${hookAnnotation}-weight`)),
    deletePolicies: listOf(head.annotations.get(`${hookAnnotation}-delete-policy`)),
    outputLogPolicies: listOf(head.annotations.get(`${hookAnnotation}-output-log-policy`)),
  };
}

/** Go's strconv.Atoi; 0 for what is no integer. */
function parseWeight(text = ""): number {
  if (!/^[-+]?[0-9]+$/.test(text)) return 0;
  const weight = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, weight) === weight ? Number(weight) : 0;
}

function listOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(",").map((item) => trimSpace(item).toLowerCase());
}

/** What the order of hooks depends on; in a release record a weight of 0 is left out. */
interface OrderedHook {
  readonly name: string;
  readonly events: readonly string[];
  readonly weight?: number;
}

/** The hooks of an event in the order in which they run: by weight, then by name. */
export function hooksOf<T extends OrderedHook>(hooks: readonly T[], event: HookEvent): T[] {
  const chosen = hooks.filter(({ events }) => events.includes(event));
  return chosen.toSorted(
    (a, b) => (a.weight ?? 0) - (b.weight ?? 0) || (a.name === b.name ? 0 : a.name < b.name ? -1 : 1),
  );
}
