import type { Warning } from "@landscaper/api";
import type { Logger } from "@landscaper/controller-runtime";
import type { AwaitedObjects, TargetCluster } from "@landscaper/resources";
import type { ReleaseStore } from "./records/release-store.ts";

/** What all operations on one release need. */
export interface ReleaseContext {
  readonly cluster: TargetCluster;
  readonly store: ReleaseStore;
  readonly name: string;
  readonly namespace: string;
  /** The time of day, in ms since the epoch: for what records say. */
  readonly now: () => number;
  /** Of a clock that nobody sets, in ms. */
  readonly elapsed: () => number;
  readonly log: Logger;
  /** Receives warnings about what the operation leaves undone because Helm does so. Messages have no values. */
  readonly warn?: ((warning: Warning) => void) | undefined;
}

/** What hooks need: their runs are noted in a record. */
export type HookContext = Omit<ReleaseContext, "store"> & { readonly store: Pick<ReleaseStore, "update"> };

/** An operation has to wait; nothing is wrong. */
export interface ReleaseWait {
  /** What for, one entry for each object. */
  readonly waitingFor: readonly string[];
  /** What users can do about it. */
  readonly hint?: string | undefined;
  readonly awaited: readonly AwaitedObjects[];
  /** The wait may also end by time alone: then. */
  readonly lookAgainAfterMs?: number | undefined;
}

/** RFC 3339, as records have it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
