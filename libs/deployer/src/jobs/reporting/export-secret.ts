import {
  annotations,
  boundPaths,
  buildItemSecret,
  LandscaperError,
  exportSecretName,
  kubeResources,
  type DeployItem,
  type JsonPath,
} from "@landscaper/api";
import { encodeExports } from "./encode-exports.ts";
import { isOwned, writeSecret, type ItemSecretOptions, type WriteSecretOptions } from "./item-secret.ts";

export interface ExportRef {
  readonly name: string;
  readonly namespace: string;
}

/** The key under which the exported values stand as JSON (deployers.md §1.1). */
const exportKey = "config";

/** Returns the reference to the Secret for the item's exports. It ignores `status.exportRef`, because other clients can write another name there. */
function exportRefOf({ metadata }: DeployItem): ExportRef {
  return { name: exportSecretName(metadata.name ?? ""), namespace: metadata.namespace ?? "" };
}

export interface ExportedValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** What of them is secret; undefined: not known. */
  readonly sensitive: readonly JsonPath[] | undefined;
}

/** Writes the exported values; no request changes what is already there. */
export async function writeExports(
  { values, sensitive }: ExportedValues,
  options: ItemSecretOptions & Pick<WriteSecretOptions, "onChange">,
): Promise<ExportRef> {
  const { item } = options;
  const ref = exportRefOf(item);
  const marks =
    sensitive === undefined ? {} : { [annotations.sensitiveExports]: JSON.stringify(boundPaths(sensitive)) };
  const metadata = { ...ref, annotations: marks };
  const secret = buildItemSecret(item, { metadata, data: { [exportKey]: encodeExports(values) } });
  await writeSecret(secret, { ...options, isFirst: item.status?.exportRef === undefined, foreign: foreignSecret });
  return ref;
}

/** Removes values that the item exports no longer, so that nobody reads old ones. */
export async function removeExports({ client, item, signal }: ItemSecretOptions): Promise<void> {
  const ref = exportRefOf(item);
  const known = await client.find(kubeResources.secret, ref, { signal });
  if (known === undefined || !isOwned(known, item)) return;
  await client.delete(kubeResources.secret, ref, { uid: known.metadata.uid, signal });
}

function foreignSecret(path: string): LandscaperError {
  return new LandscaperError({
    message: `Secret ${path} exists, but does not belong to the deploy item`,
    reason: "ExportSecretForeign",
    hint: "exports are written to a Secret of that name: rename or remove it",
  });
}
