import { isDeepStrictEqual } from "node:util";
import { isJobOpen, keyOf, resources, withGeneration, type DeployItem, type DeployItemStatus } from "@landscaper/api";
import { isConflict, isNotFound, type Client } from "@landscaper/controller-runtime";
import type { Claims } from "../../sharing/claims.ts";
import { isTheirs } from "../../sharing/decide-claim.ts";

/** The job was ended, replaced, claimed or deleted by another process: nothing may be written for it any more. */
export class JobLostError extends Error {
  override readonly name = "JobLostError";
  /** The deployer that has claimed the item in the meantime, if one has. */
  readonly holder: string | undefined;

  constructor(holder?: string) {
    super("the job was ended or claimed by another process");
    this.holder = holder;
  }
}

/** The error of a write whose race was lost to what is there now. */
export function lostTo(fresh: DeployItem, before: DeployItem, { holder }: Pick<Claims, "holder">): JobLostError {
  const { identity } = fresh.status?.deployer ?? {};
  const isNew = identity !== holder && identity !== before.status?.deployer?.identity;
  return new JobLostError(isNew ? identity : undefined);
}

/** Conflicts in a row after which the queue tries again later. */
const maxConflicts = 5;

/** Writes the status of one item during one job. */
export interface StatusWriter {
  /** As of the last write. */
  readonly item: DeployItem;
  /**
   * Writes what `change` makes of the present status, guarded by the resource version. A lost race is re-read: while the job
   * is still the same and open, `change` is applied to what is there now. Throws JobLostError otherwise. What changes nothing
   * is not written.
   */
  write(change: (item: DeployItem) => DeployItemStatus): Promise<void>;
  /** Takes over what another write of this job returned. */
  observe(item: DeployItem): void;
}

export interface StatusWriterOptions {
  readonly client: Client;
  readonly item: DeployItem;
  /** Whether the item that a lost race brings is another deployer's. */
  readonly claims: Pick<Claims, "of" | "holder">;
  readonly signal: AbortSignal;
}

export function createStatusWriter({ client, item: initial, claims, signal }: StatusWriterOptions): StatusWriter {
  let item = initial;
  return {
    get item() {
      return item;
    },
    observe(next) {
      item = next;
    },
    async write(change) {
      const { jobID } = item.status ?? {};
      // A test-reconcile starts from a closed job; everything else works on an open one only.
      const mayBeClosed = !isJobOpen(item.status);
      for (let conflicts = 0; ;) {
        const status = change(item);
        if (isDeepStrictEqual(status, item.status)) return;
        try {
          item = await client.updateStatus(
            resources.deployItem,
            { ...item, status: withGeneration(status) },
            { signal },
          );
          return;
        } catch (error) {
          if (isNotFound(error)) throw new JobLostError();
          if (!isConflict(error) || conflicts++ >= maxConflicts) throw error;
          const before = item;
          item = await readAgain(client, item, signal);
          const isSame = item.status?.jobID === jobID && (mayBeClosed || isJobOpen(item.status));
          if (!isSame || isTheirs(claims.of(item))) throw lostTo(item, before, claims);
        }
      }
    },
  };
}

async function readAgain(client: Client, item: DeployItem, signal: AbortSignal): Promise<DeployItem> {
  const fresh = await client.find(resources.deployItem, keyOf(item), { signal });
  if (fresh === undefined || fresh.metadata.uid !== item.metadata.uid) throw new JobLostError();
  return fresh;
}
