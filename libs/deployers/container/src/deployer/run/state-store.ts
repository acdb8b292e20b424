import { kubeResources, type ObjectMeta, type Secret } from "@landscaper/api";
import { containerAnnotations, containerLabels, isOfItem, labelValue, secretTypes } from "../../contract/labels.ts";
import type { RestoredState } from "../../contract/job-file.ts";
import { parseStateIndex, stateIndexKey, type StateIndex } from "../../contract/state-index.ts";
import { onHost } from "../host/host-error.ts";
import { decodeEntry, selectItem, type HostPlace } from "../host/host-objects.ts";

/** The index of a Secret. Throws LandscaperError for one that cannot be read: a state must not be lost without a word. */
export function readIndex(secret: Secret): StateIndex {
  return parseStateIndex(decodeEntry(secret, stateIndexKey) ?? "", `Secret ${secret.metadata.name}`);
}

/** What the next run gets of the state; undefined when there is none. `original` is the answer of findOriginalState, where that has been asked. */
export async function findState(
  index: Secret | undefined,
  place: HostPlace,
  original?: Promise<RestoredState | undefined>,
): Promise<RestoredState | undefined> {
  if (index === undefined) return await (original ?? findOriginalState(place));
  const { chunks, sha256, bytes } = readIndex(index);
  return chunks.length === 0 ? undefined : { chunks: [...chunks], sha256, bytes };
}

/** The state of the item that the original has kept. */
export async function findOriginalState(place: HostPlace): Promise<RestoredState | undefined> {
  return originalState(await listState(place, ofItemName(place)));
}

/** By its name: the original's parts have no uid. */
function ofItemName({ item }: HostPlace): string {
  const names = `${containerLabels.itemName}=${labelValue(item.name)},${containerLabels.itemNamespace}=${item.namespace}`;
  return `${containerLabels.type}=${secretTypes.state},${names}`;
}

async function listState(
  { cluster, namespace, signal }: HostPlace,
  labelSelector: string,
): Promise<readonly ObjectMeta[]> {
  const options = { namespace, labelSelector, metadataOnly: true, signal };
  const { items } = await onHost("a list of secrets", () => cluster.client.list(kubeResources.secret, options));
  return items.map(({ metadata }) => metadata);
}

/** The youngest state that the original has written: its parts bear no checksum (docs/reference/container-deployer.md#state). Pure. */
export function originalState(parts: readonly ObjectMeta[]): RestoredState | undefined {
  const written = parts.filter(({ annotations }) => annotations?.[containerAnnotations.stateSha256] === undefined);
  const [youngest] = written.toSorted((one, other) => ageOf(other) - ageOf(one));
  if (youngest === undefined) return undefined;
  const chunks = written
    .filter((part) => uuidOf(part) === uuidOf(youngest))
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .map(({ name = "" }) => ({ name }));
  return { chunks };
}

const ageOf = ({ creationTimestamp = "" }: ObjectMeta): number => Date.parse(creationTimestamp) || 0;
const uuidOf = ({ annotations }: ObjectMeta): string => annotations?.[containerAnnotations.stateUuid] ?? "";
const numberOf = ({ annotations }: ObjectMeta): number => Number(annotations?.[containerAnnotations.stateNumber] ?? 0);

/**
 * Removes parts that the index does not name: those of earlier states, and of runs that ended before they had written all. Once there is an index, the
 * original's are of the past, too.
 */
export async function removeOldState(index: Secret | undefined, place: HostPlace): Promise<void> {
  if (index === undefined) return;
  const { cluster, namespace, item, signal } = place;
  const { generation } = readIndex(index);
  const parts = await listState(place, `${containerLabels.type}=${secretTypes.state},${selectItem(item)}`);
  const old = parts.filter((part) => uuidOf(part) !== generation && isOfItem(part.labels, item));
  await Promise.all(
    old.map(({ name = "", uid }) => cluster.client.delete(kubeResources.secret, { namespace, name }, { uid, signal })),
  );
}
