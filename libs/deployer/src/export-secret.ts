import { LandscaperError, apiVersionOf, kubeResources, resources, type DeployItem, type Secret } from "@landscaper/api";
import { isAlreadyExists, isConflict, type Client } from "@landscaper/controller-runtime";
import { encodeExports } from "./encode-exports.ts";

export interface ExportSecretOptions {
  readonly client: Client;
  readonly item: DeployItem;
  readonly signal: AbortSignal;
}

export interface ExportRef {
  readonly name: string;
  readonly namespace: string;
}

/** The key under which the exported values stand as JSON (deployers.md §1.1). */
const exportKey = "config";
/** Lost races against other writers that are settled at once. */
const maxRaces = 3;

/** Where the item's exports are, or go. */
function exportRefOf({ metadata, status }: DeployItem): ExportRef {
  return { name: status?.exportRef?.name ?? `${metadata.name}-export`, namespace: metadata.namespace ?? "" };
}

/** Writes the exported values; no request changes what is already there. */
export async function writeExports(
  exports: Readonly<Record<string, unknown>>,
  options: ExportSecretOptions,
): Promise<ExportRef> {
  const { client, item, signal } = options;
  const ref = exportRefOf(item);
  const secret = exportSecret(item, exports);
  // Before the first export nothing is there most likely: "already exists" tells when a crash has hidden the answer.
  let known = item.status?.exportRef === undefined ? undefined : await find(options);
  for (let races = 0; ; races++) {
    try {
      if (known === undefined) await client.create(kubeResources.secret, secret, { signal });
      else await update(known, secret, options);
      return ref;
    } catch (error) {
      if ((!isAlreadyExists(error) && !isConflict(error)) || races >= maxRaces) throw error;
      known = await find(options);
    }
  }
}

/** Removes values that the item exports no longer, so that nobody reads old ones. */
export async function removeExports(options: ExportSecretOptions): Promise<void> {
  const known = await find(options);
  if (known === undefined || !isOwned(known, options.item)) return;
  await options.client.delete(kubeResources.secret, exportRefOf(options.item), {
    uid: known.metadata.uid,
    signal: options.signal,
  });
}

async function find({ client, item, signal }: ExportSecretOptions): Promise<Secret | undefined> {
  return await client.find(kubeResources.secret, exportRefOf(item), { signal });
}

async function update(known: Secret, wanted: Secret, { client, item, signal }: ExportSecretOptions): Promise<void> {
  if (!isOwned(known, item)) {
    throw new LandscaperError({
      message: `Secret ${known.metadata.namespace}/${known.metadata.name} exists, but does not belong to the deploy item`,
      reason: "ExportSecretForeign",
      hint: "exports are written to a Secret of that name: rename or remove it",
    });
  }
  const isSame = known.data?.[exportKey] === wanted.data?.[exportKey] && Object.keys(known.data ?? {}).length === 1;
  if (isSame) return;
  const metadata = { ...known.metadata, ownerReferences: wanted.metadata.ownerReferences ?? [] };
  await client.update(kubeResources.secret, { ...known, metadata, data: { ...wanted.data } }, { signal });
}

/** Owned by this item, or left by one of the same name that is gone and whose garbage is not collected yet. */
function isOwned(secret: Secret, item: DeployItem): boolean {
  return (secret.metadata.ownerReferences ?? []).some(
    ({ kind, name }) => kind === resources.deployItem.kind && name === item.metadata.name,
  );
}

function exportSecret(item: DeployItem, exports: Readonly<Record<string, unknown>>): Secret {
  const owner = {
    apiVersion: apiVersionOf(resources.deployItem),
    kind: resources.deployItem.kind,
    name: item.metadata.name ?? "",
    uid: item.metadata.uid ?? "",
  };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...exportRefOf(item), ownerReferences: [owner] },
    type: "Opaque",
    data: { [exportKey]: encodeExports(exports) },
  };
}
