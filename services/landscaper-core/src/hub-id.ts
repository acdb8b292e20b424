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
import { ApiError, isAlreadyExists, type Client, type Logger } from "@landscaper/controller-runtime";
import { controllerOf, isDeleting } from "./object-reading.ts";

/** Where the id of the landscaper cluster is kept: a namespace that each cluster has, and that is never a tenant's. */
export const hubIdKey = { namespace: "kube-system", name: "landscaper-hub-id" } as const;

/** The id of the landscaper cluster; undefined if it can neither be read nor made. Throws ConnectionError, and ApiError of a server that is busy. */
export type HubId = (signal: AbortSignal) => Promise<string | undefined>;

export interface HubIdOptions {
  readonly client: Client;
  readonly log: Logger;
  /** Default: a random uuid. */
  readonly newId?: (() => string) | undefined;
}

/** Reads the id once in the life of the process, and makes it for a landscaper cluster that has none. */
export function createHubId({ client, log, newId = randomUUID }: HubIdOptions): HubId {
  let known: { readonly id: string | undefined } | undefined;
  return async (signal) => {
    if (known !== undefined) return known.id;
    try {
      const found = (await findId(client, signal)) ?? (await makeId(client, newId(), signal));
      known = { id: checkId(found) };
    } catch (error) {
      if (!(error instanceof ApiError) || !isFinal(error)) throw error;
      known = { id: undefined };
    }
    if (known.id === undefined) {
      log.warn(
        { secret: formatKey(hubIdKey) },
        "this landscaper cluster has no id: the marks on targets are without it",
      );
    }
    return known.id;
  };
}

/** Refused, or the namespace is not there: another try has the same end. */
function isFinal({ status }: ApiError): boolean {
  return status === 403 || status === 404 || status === 422;
}

async function findId(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const secret = await client.find(kubeResources.secret, hubIdKey, { signal });
  return secret === undefined ? undefined : idOf(secret);
}

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
    if (!isAlreadyExists(error)) throw error;
    return await findId(client, signal);
  }
}

function idOf({ data }: Secret): string {
  return Buffer.from(data?.["id"] ?? "", "base64").toString("utf8");
}

/** Ids stand in annotations, and in values of `take-over-from`. */
function checkId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.-]{1,253}$/.test(id) ? id : undefined;
}

interface HubIdWrite {
  readonly client: Client;
  readonly hubId: HubId;
}

/**
 * Writes the id to a DeployItem that no Execution has made, after its first job: until then, its clients may write its status by the version that they have created. Those of
 * Executions get it with their jobs.
 */
export async function writeHubId(
  { client, hubId }: HubIdWrite,
  deployItem: DeployItem,
  signal: AbortSignal,
): Promise<void> {
  const isResting = deployItem.status?.jobIDFinished !== undefined && !isJobOpen(deployItem.status);
  if (!isResting || controllerOf(deployItem, "Execution") !== undefined || isDeleting(deployItem)) return;
  const id = await hubId(signal);
  if (id === undefined || deployItem.metadata.annotations?.[annotations.hubId] === id) return;
  const body = { metadata: { uid: deployItem.metadata.uid, annotations: { [annotations.hubId]: id } } };
  await client.patch(resources.deployItem, keyOf(deployItem), { type: "merge", body, signal });
}
