import type { HelmVersion } from "@landscaper/helm";
import type { HookChange } from "@landscaper/helm-release";
import {
  formatPlan,
  formatResource,
  summarizePlan,
  type ObjectChange,
  type ResourceReference,
} from "@landscaper/resources";

/** What `landscaper helm diff` has found. */
export interface ReleaseDiff {
  readonly release: string;
  readonly namespace: string;
  /** Undefined: nothing is installed. */
  readonly from: RevisionName | undefined;
  readonly to: RevisionName;
  /** Whether the objects of the cluster were compared. */
  readonly isLive: boolean;
  /** Version of Helm that rendered the chart; undefined if recorded revisions are compared. */
  readonly helmVersion: HelmVersion | undefined;
  readonly changes: readonly ObjectChange[];
  readonly hooks: readonly HookChange[];
  /** Objects that stay although the release has them no more. */
  readonly kept: readonly ResourceReference[];
  /** Events of hooks that run; none where recorded revisions are compared. */
  readonly events: readonly string[];
}

export interface RevisionName {
  /** Undefined: it would be made. */
  readonly revision: number | undefined;
  /** `NAME-VERSION`. */
  readonly chart: string;
}

/** Whether anything differs; hooks that have not changed are none. */
export function hasDifferences({ changes, hooks }: ReleaseDiff): boolean {
  return changes.some(({ type }) => type !== "unchanged") || hooks.some(({ type }) => type !== "unchanged");
}

/** In the form of `landscaper diff`: a heading, the changes of objects, and a line for each hook that runs or has changed. */
export function formatReleaseDiff(diff: ReleaseDiff): string {
  const { release, namespace, from, to, isLive, helmVersion, changes, kept, hooks, events } = diff;
  const before = from === undefined ? "not installed" : titleOf(from);
  const version = helmVersion === undefined ? "" : `, as Helm ${helmVersion}`;
  const heading = `# Release ${namespace}/${release}: ${before} -> ${titleOf(to)}${version}${isLive ? ", on the cluster" : ""}\n`;
  const lines = [
    ...kept.map((resource) => `keep ${formatResource(resource)}: its resource policy says so\n`),
    ...hooks.flatMap((hook) => formatHook(hook, events)),
  ];
  return `${heading}${formatPlan(changes)}${lines.join("")}`;
}

function titleOf({ revision, chart }: RevisionName): string {
  return revision === undefined ? chart : `revision ${revision} (${chart})`;
}

const hookWords = { create: "new", update: "changed", delete: "no longer there", unchanged: undefined } as const;

function formatHook({ type, kind, name, events }: HookChange, wanted: readonly string[]): string[] {
  const runs = type !== "delete" && events.some((event) => wanted.includes(event));
  const words = [runs ? "runs" : undefined, hookWords[type]].filter((word) => word !== undefined);
  return words.length === 0 ? [] : [`hook ${kind} ${name} (${events.join(", ")}): ${words.join(", ")}\n`];
}

/** What `-o json` prints. The shape is for programs: fields are added, never changed. */
export function formatReleaseDiffJson(diff: ReleaseDiff): string {
  const { release, namespace, from, to, isLive, helmVersion, changes, kept, hooks, events } = diff;
  const document = {
    release,
    namespace,
    from: from === undefined ? null : nameOf(from),
    to: nameOf(to),
    live: isLive,
    helmVersion: helmVersion ?? null,
    summary: summarizePlan(changes),
    changes: changes.filter(({ type }) => type !== "unchanged"),
    kept,
    hooks: hooks.map((hook) => ({
      ...hook,
      runs: hook.type !== "delete" && hook.events.some((event) => events.includes(event)),
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function nameOf({ revision, chart }: RevisionName): object {
  return { revision: revision ?? null, chart };
}
