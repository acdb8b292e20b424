// What the original's core does with objects of any kind.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { finalizer, isFinal } from "../src/kits/contract-names.ts";
import type { Api, Item, Kind, Status } from "../src/kits/plain-api.ts";

export interface CoreContext {
  readonly api: Api;
  readonly note: (line: string) => void;
}

export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
export const newJobID = (): string => randomUUID();
export const isOpen = ({ status }: Item): boolean => (status?.jobID ?? "") !== (status?.jobIDFinished ?? "");
export const isDeleting = ({ metadata }: Item): boolean => metadata.deletionTimestamp !== undefined;
export const hasEnded = ({ status }: Item, jobID: string | undefined): boolean =>
  status?.jobID === jobID && status?.jobIDFinished === jobID && isFinal(status?.phase);

/** Without fields that say nothing: Go leaves them away, or writes them as empty objects. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, field]: [string, unknown]) => [key, withoutEmpty(field)] as const);
  return Object.fromEntries(
    fields.filter(([, field]) => field !== undefined && field !== false && !isDeepStrictEqual(field, {})),
  );
}

export const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(withoutEmpty(a), withoutEmpty(b));

/** A guarded write; fields that are undefined go. */
export async function writeStatus(
  api: Api,
  item: Item,
  status: { readonly [field in keyof Status]?: Status[field] | undefined },
): Promise<Item> {
  // Undefined fields are no JSON.
  const next = { ...item.status, ...status } as Status;
  return api.putStatus({ ...item, status: next });
}

/** Names of more than one object of the same beginning stay apart. */
export const generateName = (prefix: string): string => `${prefix}${randomUUID().slice(0, 5)}`;

export async function releaseObject(api: Api, { kind, metadata }: Item): Promise<void> {
  const finalizers = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  // Only objects whose kind has a path are read.
  await api.patch(kind as Kind, metadata.name, { metadata: { finalizers } });
}

export async function ensureFinalizer(api: Api, { kind, metadata }: Item): Promise<boolean> {
  if (metadata.deletionTimestamp !== undefined || metadata.finalizers?.includes(finalizer) === true) return false;
  await api.patch(kind as Kind, metadata.name, {
    metadata: { finalizers: [...(metadata.finalizers ?? []), finalizer] },
  });
  return true;
}

export function ownerReference({ apiVersion, kind, metadata: { name, uid } }: Item, isController: boolean): object {
  const reference = { apiVersion, kind, name, uid };
  return isController ? { ...reference, controller: true, blockOwnerDeletion: true } : reference;
}

/** Gives an object the job of what it belongs to. */
export async function handOver(api: Api, item: Item, jobID: string | undefined): Promise<void> {
  if (item.status?.jobID !== jobID) await writeStatus(api, item, { observedGeneration: 0, ...item.status, jobID });
}
