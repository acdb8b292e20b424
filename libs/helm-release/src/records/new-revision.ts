import type { HelmVersion, Hook } from "@landscaper/helm";
import { timeOf } from "../release-context.ts";
import type { ApplyMethod } from "./apply-method.ts";
import { changeLabels, type LabelChanges } from "./release-labels.ts";
import type { HookRecord, ReleaseInfo, ReleaseRecord, ReleaseStatus } from "./release-record.ts";

/** What a revision is made of. */
export interface RevisionContent {
  readonly chart: Readonly<Record<string, unknown>>;
  /** Values that the user gave. */
  readonly config: Readonly<Record<string, unknown>>;
  /** As `formatManifests` gives it: without hooks and crds/. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly notes: string;
}

interface RevisionOptions {
  readonly name: string;
  readonly namespace: string;
  /** All revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  readonly applyMethod: ApplyMethod;
  readonly labels?: LabelChanges | undefined;
  /** Version of Helm that the revision is made as. */
  readonly helmVersion?: HelmVersion | undefined;
  /** In ms since the epoch. */
  readonly now: number;
}

/** A pending revision after all that there are. */
export function newRevision(content: RevisionContent, options: RevisionOptions): ReleaseRecord {
  const { chart, config, manifest, notes } = content;
  const former = formerRevision(options.history);
  const isFirst = former === undefined;
  const hooks = content.hooks.map(hookRecord);
  const status = isFirst ? "pending-install" : "pending-upgrade";
  const info = pendingInfo(options, {
    status,
    notes,
    description: isFirst ? "Initial install underway" : "Preparing upgrade",
  });
  return {
    ...keptFields(former),
    ...identity(options),
    info: { ...keptFields(former?.info, infoFields), ...info },
    chart,
    config,
    manifest,
    hooks,
    labels: changeLabels(former?.labels, options.labels),
  };
}

/** A pending revision that is `target` again, but for the apply method. As with Helm, its labels are those of `target`. */
export function rollbackRevision(target: ReleaseRecord, options: RevisionOptions): ReleaseRecord {
  const { chart, config, manifest, info } = target;
  const hooks = target.hooks.map((hook) => ({ ...hook, last_run: neverRun }));
  const description = `Rollback to ${target.version}`;
  const pending = pendingInfo(options, { status: "pending-rollback", notes: info.notes ?? "", description });
  const former = formerRevision(options.history);
  return {
    ...keptFields(former),
    ...keptFields(target),
    ...identity(options),
    info: {
      ...keptFields(former?.info, infoFields),
      ...keptFields(info, infoFields),
      ...pending,
      rollback_revision: target.version,
    },
    chart,
    config,
    manifest,
    hooks,
    labels: changeLabels(target.labels, options.labels),
  };
}

/** Fields of each revision. All others, which only a newer Helm knows, stay in the next revision. */
const recordFields: ReadonlySet<string> = new Set<keyof ReleaseRecord>([
  "name",
  "namespace",
  "version",
  "info",
  "chart",
  "config",
  "manifest",
  "hooks",
  "apply_method",
  "labels",
  "helmVersion",
  "unreadable",
]);

const infoFields: ReadonlySet<string> = new Set<keyof ReleaseInfo>([
  "first_deployed",
  "last_deployed",
  "deleted",
  "description",
  "status",
  "notes",
  "rollback_revision",
]);

function keptFields(record: object = {}, known = recordFields): object {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !known.has(field)));
}

function identity({
  name,
  namespace,
  history,
  applyMethod,
  helmVersion,
}: RevisionOptions): Pick<ReleaseRecord, "name" | "namespace" | "version" | "apply_method" | "helmVersion"> {
  const version = (history.at(-1)?.version ?? 0) + 1;
  const made = helmVersion === undefined ? {} : { helmVersion };
  return { name, namespace, version, apply_method: applyMethod, ...made };
}

function pendingInfo(
  { history, now }: RevisionOptions,
  { notes, ...state }: { status: ReleaseStatus; description: string; notes: string },
): ReleaseRecord["info"] {
  const time = timeOf(now);
  return {
    first_deployed: formerRevision(history)?.info.first_deployed ?? time,
    last_deployed: time,
    deleted: "",
    ...state,
    ...(notes === "" ? {} : { notes }),
  };
}

/** Returns the newest revision that can be read. Undefined: an install. */
function formerRevision(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  const last = history.findLast(({ unreadable }) => unreadable === undefined);
  return last?.info.status === "uninstalled" ? undefined : last;
}

const neverRun = { started_at: "", completed_at: "", phase: "" } as const;

function hookRecord({ name, kind, path, manifest, events, weight, ...policies }: Hook): HookRecord {
  const { deletePolicies, outputLogPolicies } = policies;
  return {
    name,
    kind,
    path,
    manifest,
    events,
    last_run: neverRun,
    ...(weight === 0 ? {} : { weight }),
    ...(deletePolicies.length === 0 ? {} : { delete_policies: deletePolicies }),
    ...(outputLogPolicies.length === 0 ? {} : { output_log_policies: outputLogPolicies }),
  };
}
