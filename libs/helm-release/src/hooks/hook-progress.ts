import type { UnstructuredObject } from "@landscaper/api";
import type { HookEvent } from "@landscaper/helm";
import type { HookRecord, ReleaseRecord } from "../records/release-record.ts";

/** Tells hooks of one revision apart. */
export function hookKey({ path, kind, name }: HookRecord): string {
  return JSON.stringify([path, kind, name]);
}

interface Operation {
  /** Of the operation, e.g. pre-install and post-install. */
  readonly events: readonly HookEvent[];
  /** When it began, for records that know the runs of other operations as well. */
  readonly since?: string;
}

/**
 * Hooks that a half-done operation has ended well, and recorded: they are not to run again. A hook of two events of the operation is none
 * of them, as its record does not say at which it has run.
 */
export function endedHooks({ hooks }: ReleaseRecord, { events, since = "" }: Operation): readonly HookRecord[] {
  return hooks.filter((hook) => {
    const { phase, started_at } = hook.last_run;
    const own = hook.events.filter((event) => events.some((each) => each === event));
    return (
      phase === "Succeeded" && Date.parse(started_at) >= (since === "" ? 0 : Date.parse(since)) && own.length === 1
    );
  });
}

/** The revision with the runs of the hooks that an earlier try of the very same has ended well. */
export function carryEndedHooks(record: ReleaseRecord, earlier: ReleaseRecord, operation: Operation): ReleaseRecord {
  const ended = new Map(endedHooks(earlier, operation).map((hook) => [hookKey(hook), hook]));
  const hooks = record.hooks.map((hook) => {
    const before = ended.get(hookKey(hook));
    // Generated values make another hook of it.
    return before?.manifest === hook.manifest ? { ...hook, last_run: before.last_run } : hook;
  });
  return { ...record, hooks };
}

/** Clocks of the deployer and the cluster may differ by so much. */
const maxSkewMs = 60_000;

/**
 * Whether a live object is what an interrupted run of the hook has left: its end is not recorded, or its deletion by policy has failed. Such
 * a one goes before the next run, whatever the policy. Judged by when it was created, as hooks bear no marks.
 */
export function isLeftBehind(live: UnstructuredObject, hook: HookRecord, records: readonly ReleaseRecord[]): boolean {
  const createdMs = Date.parse(live.metadata.creationTimestamp ?? "");
  const isSame = ({ kind, name }: HookRecord): boolean => kind === hook.kind && name === hook.name;
  const runs = records.flatMap(({ hooks }) => hooks).filter((each) => isSame(each) && each.last_run.started_at !== "");
  return runs.some((run) => {
    const { started_at, completed_at } = run.last_run;
    const isAfter = createdMs >= Date.parse(started_at) - maxSkewMs;
    const isBefore = completed_at === "" || createdMs <= Date.parse(completed_at) + maxSkewMs;
    return isAfter && isBefore && isToBeGone(run);
  });
}

/**
 * Whether nothing is to be left of the last run of a hook: it was interrupted, its policy could not be followed (both "Unknown"), or it has
 * ended well and its policy says so. One that has failed has nothing left, or what its policy keeps.
 */
export function isToBeGone({ last_run: { phase }, delete_policies: policies = [] }: HookRecord): boolean {
  if (phase === "Succeeded") return policies.includes("hook-succeeded");
  return phase !== "Failed";
}
