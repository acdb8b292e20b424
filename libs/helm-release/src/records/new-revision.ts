import type { Hook } from "@landscaper/helm";
import { timeOf } from "../release-context.ts";
import type { HookRecord, ReleaseRecord, ReleaseStatus } from "./release-record.ts";

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
  /** In ms since the epoch. */
  readonly now: number;
}

/** A pending revision after all that there are. */
export function newRevision(content: RevisionContent, options: RevisionOptions): ReleaseRecord {
  const { chart, config, manifest, notes } = content;
  const isFirst = firstDeployed(options.history) === undefined;
  const hooks = content.hooks.map(hookRecord);
  const status = isFirst ? "pending-install" : "pending-upgrade";
  const info = pendingInfo(options, {
    status,
    notes,
    description: isFirst ? "Initial install underway" : "Preparing upgrade",
  });
  return { ...identity(options), info, chart, config, manifest, hooks };
}

/** A pending revision that is `target` again. */
export function rollbackRevision(target: ReleaseRecord, options: RevisionOptions): ReleaseRecord {
  const { chart, config, manifest, info } = target;
  const hooks = target.hooks.map((hook) => ({ ...hook, last_run: neverRun }));
  const description = `Rollback to ${target.version}`;
  const pending = pendingInfo(options, { status: "pending-rollback", notes: info.notes ?? "", description });
  return { ...identity(options), info: pending, chart, config, manifest, hooks };
}

function identity({
  name,
  namespace,
  history,
}: RevisionOptions): Pick<ReleaseRecord, "name" | "namespace" | "version"> {
  return { name, namespace, version: (history.at(-1)?.version ?? 0) + 1 };
}

function pendingInfo(
  { history, now }: RevisionOptions,
  { notes, ...state }: { status: ReleaseStatus; description: string; notes: string },
): ReleaseRecord["info"] {
  const time = timeOf(now);
  return {
    first_deployed: firstDeployed(history) ?? time,
    last_deployed: time,
    deleted: "",
    ...state,
    ...(notes === "" ? {} : { notes }),
  };
}

/** Undefined: an install. */
function firstDeployed(history: readonly ReleaseRecord[]): string | undefined {
  const last = history.findLast(({ unreadable }) => unreadable === undefined);
  return last === undefined || last.info.status === "uninstalled" ? undefined : last.info.first_deployed;
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
