import {
  environmentsMarkOf,
  keyOf,
  kubeResources,
  resources,
  type DeployItem,
  type LandscaperError,
  type Secret,
} from "@landscaper/api";
import { isAlreadyExists, isConflict, type Client } from "@landscaper/controller-runtime";

export interface ItemSecretOptions {
  readonly client: Client;
  readonly item: DeployItem;
  readonly signal: AbortSignal;
}

export interface WriteSecretOptions extends ItemSecretOptions {
  /** Nothing is there most likely: it is not looked at before. */
  readonly isFirst: boolean;
  /** Returns the error for a Secret of this name that does not belong to the item. It is temporary for a Secret with another mark, which the core takes over. */
  readonly foreign: (path: string, options: { readonly isTemporary: boolean }) => LandscaperError;
  /** Called when the Secret was not as it is wanted. */
  readonly onChange?: (() => void) | undefined;
}

/** Lost races against other writers that are settled at once. */
const maxRaces = 3;

/** Writes a Secret of the item; no request changes what is already there. */
export async function writeSecret(wanted: Secret, options: WriteSecretOptions): Promise<void> {
  const { client, signal, isFirst } = options;
  const find = (): Promise<Secret | undefined> => client.find(kubeResources.secret, keyOf(wanted), { signal });
  let known = isFirst ? undefined : await find();
  for (let races = 0; ; races++) {
    try {
      if (known === undefined) await client.create(kubeResources.secret, wanted, { signal });
      else if (!(await update(known, wanted, options))) return;
      options.onChange?.();
      return;
    } catch (error) {
      // "Already exists" also tells when a crash has hidden the answer.
      if ((!isAlreadyExists(error) && !isConflict(error)) || races >= maxRaces) throw error;
      known = await find();
    }
  }
}

/** False: the Secret is as it is wanted. */
async function update(known: Secret, wanted: Secret, options: WriteSecretOptions): Promise<boolean> {
  const { client, item, signal, foreign } = options;
  const mark = environmentsMarkOf(known);
  const hasOtherMark = mark !== undefined && mark !== environmentsMarkOf(wanted);
  if (!isOwned(known, item) || hasOtherMark) {
    throw foreign(`${known.metadata.namespace}/${known.metadata.name}`, { isTemporary: hasOtherMark });
  }
  // Drops labels and annotations of other writers, because admission policies refuse them.
  const { labels = {}, annotations: marks = {} } = wanted.metadata;
  // One that an earlier item of the name has left goes with that item unless it gets the new owner.
  const isOurs = known.metadata.ownerReferences?.some(({ uid }) => uid === item.metadata.uid) === true;
  const isSame =
    isOurs &&
    isSameMap(known.data, wanted.data) &&
    isSameMap(known.metadata.labels, labels) &&
    isSameMap(known.metadata.annotations, marks);
  if (isSame) return false;
  const metadata = {
    ...known.metadata,
    labels,
    annotations: marks,
    ownerReferences: wanted.metadata.ownerReferences ?? [],
  };
  await client.update(kubeResources.secret, { ...known, metadata, data: { ...wanted.data } }, { signal });
  return true;
}

/** Owned by this item, or left by one of the same name that is gone and whose garbage is not collected yet. */
export function isOwned(secret: Secret, item: DeployItem): boolean {
  return (secret.metadata.ownerReferences ?? []).some(
    ({ kind, name }) => kind === resources.deployItem.kind && name === item.metadata.name,
  );
}

function isSameMap(one: Readonly<Record<string, string>> = {}, other: Readonly<Record<string, string>> = {}): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
