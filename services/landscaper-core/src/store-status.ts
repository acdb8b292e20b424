import { withGeneration, type KubeObject, type ResourceType } from "@landscaper/api";
import { nowOf, type Core } from "./core.ts";
import { isSameJson } from "./is-same-json.ts";
import { refreshReady, type JobHolderStatus } from "./job-status.ts";

/** An object that takes part in the job protocol. */
export type JobHolder<S extends JobHolderStatus> = KubeObject & { status?: S };

export interface StoreOptions<S extends JobHolderStatus, T extends JobHolder<S>> {
  readonly type: ResourceType<T>;
  /** As the API server returned it last; its resourceVersion guards the write. */
  readonly object: T;
  readonly status: S;
  /** What the running job waits for. */
  readonly waiting?: string | undefined;
  readonly announce: (current: T, previous: T) => void;
  readonly signal: AbortSignal;
}

/** Stores a status with its Ready conditions in one guarded write, unless it is stored already. */
export async function storeJobStatus<S extends JobHolderStatus, T extends JobHolder<S>>(
  core: Core,
  { type, object, status, waiting, announce, signal }: StoreOptions<S, T>,
): Promise<T> {
  const generation = object.metadata.generation ?? 0;
  const next = refreshReady(status, { generation, waiting }, nowOf(core));
  if (isSameJson(next, object.status ?? {})) return object;
  const stored = await core.client.updateStatus(type, { ...object, status: withGeneration(next) }, { signal });
  announce(stored, object);
  return stored;
}
