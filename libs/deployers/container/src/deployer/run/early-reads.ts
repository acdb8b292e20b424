import type { Secret } from "@landscaper/api";
import type { HostObjects } from "../host/host-objects.ts";
import type { ItemCredentials } from "../registries/credentials.ts";

/** What the Pod of a run has left for the deployer. */
export interface RunResults {
  readonly exported: Secret | undefined;
  readonly index: Secret | undefined;
}

/** Reads of a pass that go on beside its first one. What fails is told where it is needed. */
export interface EarlyReads {
  readonly credentials?: Promise<ItemCredentials | undefined>;
  readonly results?: Promise<RunResults>;
}

export async function findResults(objects: HostObjects): Promise<RunResults> {
  const [exported, index] = await Promise.all([objects.findSecret("export"), objects.findSecret("state-index")]);
  return { exported, index };
}

/** A read of which the pass may make no use: then its failure is of no interest. */
export function inAdvance<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined);
  return read;
}
