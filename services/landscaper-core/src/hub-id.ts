import { randomUUID } from "node:crypto";
import {
  annotations,
  formatKey,
  isJobOpen,
  keyOf,
  kubeResources,
  resources,
  type DeployItem,
  type Secret,
} from "@landscaper/api";
import { ApiError, isAlreadyExists, type Client, type Clock, type Logger } from "@landscaper/controller-runtime";
import { namePattern } from "@landscaper/resources";
import { controllerOf, isDeleting } from "./object-reading.ts";

/** The Secret with the id of the landscaper cluster, in a namespace that exists in every cluster and belongs to no tenant. */
export const hubIdKey = { namespace: "kube-system", name: "landscaper-hub-id" } as const;

/** The id of the landscaper cluster; undefined if it may not be read or made. Throws ConnectionError, and ApiError if the Secret cannot be read for now. */
export type HubId = (signal: AbortSignal) => Promise<string | undefined>;

export interface HubIdOptions {
  readonly client: Client;
  readonly clock: Pick<Clock, "elapsed">;
  readonly log: Logger;
  /** Default: a random uuid. */
  readonly newId?: (() => string) | undefined;
}

/** How long (ms) a process goes on without an id before it tries again. */
const pauseMs = 5 * 60_000;

/** Reads the id once in the life of the process, and makes it for a landscaper cluster that has none. */
export function createHubId({ client, clock, log, newId = randomUUID }: HubIdOptions): HubId {
  let id: string | undefined;
  let failedMs: number | undefined;
  return async (signal) => {
    if (id !== undefined) return id;
    if (failedMs !== undefined && clock.elapsed() - failedMs < pauseMs) return undefined;
    id = checkId((await findId(client, signal)) ?? (await makeId(client, newId(), signal)));
    if (id !== undefined) return id;
    if (failedMs === undefined) {
      const fields = { secret: formatKey(hubIdKey) };
      log.warn(fields, "cannot read or create the Secret: marks on targets have no id of the landscaper cluster");
    }
    failedMs = clock.elapsed();
    return undefined;
  };
}

/** Undefined: there is none. Empty: it may not be read. Throws for failures that may pass: items must not lose the id. */
async function findId(client: Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    const secret = await client.find(kubeResources.secret, hubIdKey, { signal });
    return secret === undefined ? undefined : idOf(secret);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return "";
    throw error;
  }
}

/** Undefined: the API server, or one of its webhooks, refuses the Secret. No job fails for that. */
async function makeId(client: Client, id: string, signal: AbortSignal): Promise<string | undefined> {
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...hubIdKey },
    immutable: true,
    data: { id: Buffer.from(id).toString("base64") },
  };
  try {
    return idOf(await client.create(kubeResources.secret, secret, { signal }));
  } catch (error) {
    if (isAlreadyExists(error)) return await findId(client, signal);
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

function idOf({ data }: Secret): string {
  return Buffer.from(data?.["id"] ?? "", "base64").toString("utf8");
}

/** Ids are used in annotations, and in values of `take-over-from`. */
function checkId(id: string | undefined): string | undefined {
  return id !== undefined && namePattern.test(id) ? id : undefined;
}

interface HubIdWrite {
  readonly client: Client;
  readonly hubId: HubId;
}

/**
 * Writes the id to a DeployItem that no Execution has made. DeployItems of Executions get it with their jobs. Not before the first job has ended: a client that creates a
 * DeployItem may write its status with the resourceVersion of the create.
 */
export async function writeHubId(
  { client, hubId }: HubIdWrite,
  deployItem: DeployItem,
  signal: AbortSignal,
): Promise<void> {
  if (controllerOf(deployItem, "Execution") !== undefined || isDeleting(deployItem)) return;
  const isResting = deployItem.status?.jobIDFinished !== undefined && !isJobOpen(deployItem.status);
  // One of another landscaper cluster came with a copy of the item, and is wrong from the first job on.
  if (!isResting && deployItem.metadata.annotations?.[annotations.hubId] === undefined) return;
  const id = await hubId(signal);
  if (id === undefined || deployItem.metadata.annotations?.[annotations.hubId] === id) return;
  const body = { metadata: { uid: deployItem.metadata.uid, annotations: { [annotations.hubId]: id } } };
  await client.patch(resources.deployItem, keyOf(deployItem), { type: "merge", body, signal });
}
