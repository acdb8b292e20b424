import type { Preview } from "@landscaper/deployer";
import { dialectDifferences, type DifferenceName, type HelmVersion } from "@landscaper/helm";
import { formatResource, type ResourceReference } from "@landscaper/resources";
import type { DescribedVersion, VersionSource } from "../release/choose-version.ts";

/** "revision": each new revision changes the object, in both versions of Helm. */
export type ChangeCause = DifferenceName | "revision";

/** What a switch does to an object. "unknown": the templates render it differently each time. */
export interface SwitchChange {
  readonly type: "create" | "update" | "delete" | "unknown";
  readonly resource: ResourceReference;
  readonly isHook: boolean;
  readonly causes: readonly ChangeCause[];
  readonly restartsPods: boolean;
}

/** What a switch to another version of Helm does to an item. */
export type SwitchResult =
  /** The item works as this version. */
  | { readonly type: "same" }
  /** A rollback that an annotation asks for keeps its revision, whatever the version is. */
  | { readonly type: "rolledBack" }
  /** The chart renders to the same texts. */
  | { readonly type: "none" }
  | { readonly type: "whiteSpace" }
  /** The same objects in another order. */
  | { readonly type: "order" }
  /** With a change of type "unknown", the result is unknown. */
  | { readonly type: "changes" | "unknown"; readonly changes: readonly SwitchChange[] }
  /** The version does not accept the chart or its values. */
  | { readonly type: "refused"; readonly problem: string };

const sourceWords: Readonly<Record<VersionSource, string>> = {
  item: "set by the item",
  release: "of its release",
  lastJob: "of its last job",
  default: "default",
};

/** Returns the answer to the question what a switch would change. Pure. */
export function describeSwitch(described: DescribedVersion, to: HelmVersion, result: SwitchResult): Preview {
  const changes = "changes" in result ? result.changes : [];
  const heading = `Helm ${described.version} (${sourceWords[described.source]}) -> Helm ${to}: ${verdictOf(result, to)}`;
  const lines = changes.map((change) => `${describeChange(change)}\n`);
  const problem = result.type === "refused" ? { problem: result.problem } : {};
  return {
    // The summary is in the status of the item, where no message of a template belongs.
    summary: heading,
    text: `${heading}${result.type === "refused" ? `: ${result.problem}` : ""}\n${lines.join("")}`,
    changes: changes.map(toDocument),
    details: { helm: { ...versionDetails(described), switch: { to, result: result.type, ...problem } } },
  };
}

/** Returns what a plan tells programs of the version. */
export function versionDetails({
  version,
  source,
  recorded = null,
}: NullableRecorded): Readonly<Record<string, unknown>> {
  return { version, source, recorded };
}

type NullableRecorded = Omit<DescribedVersion, "recorded"> & { readonly recorded?: HelmVersion | null | undefined };

function verdictOf(result: SwitchResult, to: HelmVersion): string {
  switch (result.type) {
    case "same":
      return "no switch";
    case "rolledBack":
      return "no change while the item is rolled back";
    case "none":
      return "no change";
    case "whiteSpace":
      return "white space only";
    case "order":
      return `order of objects only (${dialectDifferences.installOrder.rows})`;
    case "changes":
      return summarize(result.changes);
    case "unknown":
      return `cannot be known, because templates render differently each time; ${summarize(result.changes)}`;
    case "refused":
      return `Helm ${to} refuses the chart`;
  }
}

function summarize(changes: readonly SwitchChange[]): string {
  const count = (type: SwitchChange["type"]): number => changes.filter((change) => change.type === type).length;
  const restarts = changes.filter(({ restartsPods }) => restartsPods).length;
  const counts = [
    [count("create"), "to create"],
    [count("update"), "to update"],
    [count("delete"), "to delete"],
    [count("unknown"), "unknown"],
    [restarts, restarts === 1 ? "workload restarts pods" : "workloads restart pods"],
  ] as const;
  return counts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(", ");
}

function describeChange({ type, resource, isHook, causes, restartsPods }: SwitchChange): string {
  const reasons =
    type === "unknown"
      ? "rendered differently each time"
      : causes.length === 0
        ? "cause not found"
        : causes.map(describeCause).join(", ");
  const object = `${isHook ? "hook " : ""}${formatResource(resource)}`;
  return `${type} ${object}: ${reasons}${restartsPods ? "; restarts pods" : ""}`;
}

function describeCause(cause: ChangeCause): string {
  if (cause === "revision") return "each new revision changes it";
  const { rows, what } = dialectDifferences[cause];
  return `${rows} ${what}`;
}

function toDocument({ type, resource, isHook, causes, restartsPods }: SwitchChange): object {
  const rows = causes.map((cause) => (cause === "revision" ? cause : dialectDifferences[cause].rows));
  return { type, resource, hook: isHook, causes: rows, restartsPods };
}
