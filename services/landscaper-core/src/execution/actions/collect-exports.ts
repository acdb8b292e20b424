import {
  annotations,
  apiVersion,
  environmentsMarkOf,
  everything,
  exportSecretName,
  generateDataName,
  joinPath,
  judgeItemSecret,
  keyOf,
  kubeResources,
  labels,
  LandscaperError,
  parsePaths,
  resources,
  scopeOfExecution,
  sensitiveAnnotations,
  type DataObject,
  type DeployItem,
  type Execution,
  type JsonPath,
  type ObjectKey,
  type ObjectRef,
  type Secret,
} from "@landscaper/api";
import { unpack } from "@landscaper/threads";
import type { Core } from "../../core.ts";
import { deleteObject, ensureObject, overlayMetadata } from "../../ensure-object.ts";
import { omit } from "../../job-status.ts";
import { nameOf, namespaceOf, uidOf } from "../../object-reading.ts";
import { areQuicklyRead, collectItemExports, exportError } from "../../rendering/collect-exports-task.ts";
import type { CollectResult, ItemExport } from "../../rendering/render-task.ts";
import { itemNameOf } from "../deploy-item-identity.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/** Key of a DeployItem's export Secret (deployers.md §1.1). */
const entry = "config";

/**
 * Where the exports of an item are. Whoever may write the status could name any Secret, and the core reads with rights of its own: the
 * namespace is the item's, and the Secret is one that belongs to the item.
 */
function exportSecretKey(item: DeployItem, { name, namespace = "" }: ObjectRef): ObjectKey {
  const own = namespaceOf(item);
  if (namespace === "" || namespace === own) return { namespace: own, name };
  const problem = `status.exportRef.namespace: expected ${JSON.stringify(own)}, the namespace of the item, found ${JSON.stringify(namespace)}`;
  throw exportError(itemNameOf(item), problem);
}

/** Throws unless the Secret belongs to the item (docs/reference/deployer-management.md#secrets-of-a-deployitem). */
async function demandOwnSecret(core: Core, { item, secret }: ReadSecret, signal: AbortSignal): Promise<void> {
  const verdict = judgeItemSecret(secret, item);
  if (verdict === "own") return;
  const { name } = secret.metadata;
  if (verdict === "foreign") {
    const expected = `expected a Secret that the item owns or "${exportSecretName(nameOf(item))}"`;
    const hint = "the item's deployer must write the exports of the item into a Secret of its own";
    throw exportError(itemNameOf(item), `status.exportRef.name: ${expected}, found "${name}"`, hint);
  }
  // The core marks the Secrets before the item, and the cached item may be stale.
  const live = await core.client.find(resources.deployItem, keyOf(item), { signal });
  if (live !== undefined && judgeItemSecret(secret, live) === "own") return;
  const [expected, found] = [live ?? item, secret].map((object) => JSON.stringify(environmentsMarkOf(object) ?? ""));
  const problem = `export Secret "${name}": expected the annotation ${annotations.environments} of the item, ${expected}, found ${found}`;
  const hint = "delete the Secret and reconcile the Installation; the item's deployer then creates the Secret anew";
  throw exportError(itemNameOf(item), problem, hint);
}

async function findSecret(
  { client }: Core,
  { item, key }: { readonly item: DeployItem; readonly key: ObjectKey },
  signal: AbortSignal,
): Promise<Secret | undefined> {
  try {
    return await client.find(kubeResources.secret, key, { signal });
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw exportError(itemNameOf(item), `status.exportRef: ${error.message}`);
  }
}

interface ReadSecret {
  readonly item: DeployItem;
  readonly secret: Secret;
}

/** What an item exports, and which paths below its name are secret: everything, where its deployer does not say. */
interface FoundExport {
  readonly given: ItemExport;
  readonly sensitive: readonly JsonPath[];
}

/** The export Secret of one item, read live: Secrets are in no cache. */
async function readItemExport(core: Core, item: DeployItem, signal: AbortSignal): Promise<FoundExport | undefined> {
  const { exportRef } = item.status ?? {};
  if (exportRef === undefined) return undefined;
  const key = exportSecretKey(item, exportRef);
  const secret = await findSecret(core, { item, key }, signal);
  const text = secret?.data?.[entry];
  if (secret !== undefined) await demandOwnSecret(core, { item, secret }, signal);
  if (text === undefined) throw exportError(itemNameOf(item), `export Secret "${key.name}" has no key "${entry}"`);
  const name = itemNameOf(item);
  const paths = parsePaths(secret?.metadata.annotations?.[annotations.sensitiveExports]) ?? everything;
  const sensitive = paths.map((path) => joinPath("", name) + path);
  return { given: { item: name, secret: key.name, text }, sensitive };
}

function buildExportObject(execution: Execution, { collected, sensitive }: Exports): DataObject {
  const { values, hash } = collected;
  const scope = scopeOfExecution(nameOf(execution));
  const { name = "", uid = "" } = execution.metadata;
  return {
    apiVersion,
    kind: "DataObject",
    metadata: {
      name: generateDataName(scope, ""),
      namespace: namespaceOf(execution),
      labels: {
        [labels.dataContext]: scope,
        [labels.dataSource]: scope,
        [labels.dataSourceType]: "export",
      },
      annotations: { [annotations.dataHash]: hash, ...sensitiveAnnotations(sensitive) },
      ownerReferences: [{ apiVersion, kind: "Execution", name, uid }],
    },
    data: unpack(values),
  };
}

/** One object holds the exports of all items, by item name (core.md §1.3 no. 66); without exports there is none. */
async function storeExports(core: Core, execution: Execution, options: StoreExports): Promise<boolean> {
  const { client, informers } = core;
  const { lister } = informers.dataObjects;
  const { collected, signal } = options;
  const desired = buildExportObject(execution, options);
  const type = resources.dataObject;
  if (!collected.isEmpty) {
    await ensureObject({ client, type, lister, desired, merge: overlayMetadata, signal });
    return true;
  }
  const old = lister.get(keyOf(desired));
  if (old?.metadata.ownerReferences?.some(({ uid }) => uid === uidOf(execution)) === true) {
    await deleteObject(client, { type, object: old }, signal);
  }
  return false;
}

/** Of all items, by item name. */
interface Exports {
  readonly collected: CollectResult;
  readonly sensitive: readonly JsonPath[];
}

interface StoreExports extends Exports {
  readonly signal: AbortSignal;
}

/** Phase Completing (core.md §2.5): the exports of the items become the export DataObject of the Execution. */
export async function collectExports(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, templates } = pass;
  const names = new Set(templates.map(({ name }) => name));
  const items = listDeployItems(core.informers.deployItems.lister, execution).filter((item) =>
    names.has(itemNameOf(item)),
  );
  const found = await Promise.all(items.map(async (item) => readItemExport(core, item, signal)));
  const known = found.filter((one) => one !== undefined);
  const exports = known.map(({ given }) => given);
  const sensitive = known.flatMap((one) => one.sensitive);
  const collected = await collect(core, { namespace: namespaceOf(execution), exports }, signal);
  const hasExports = await storeExports(core, execution, { collected, sensitive, signal });
  const scope = scopeOfExecution(nameOf(execution));
  const exportRef = { name: generateDataName(scope, ""), namespace: namespaceOf(execution) };
  const status = omit(pass.status, "exportRef");
  return withExecutionStatus(pass, hasExports ? { ...status, exportRef } : status);
}

/** A thread reads the texts, unless they are short: they are as large and as strange as their deployer likes. */
async function collect(
  core: Core,
  { namespace, exports }: { readonly namespace: string; readonly exports: readonly ItemExport[] },
  signal: AbortSignal,
): Promise<CollectResult> {
  if (areQuicklyRead(exports)) return collectItemExports(exports, () => undefined);
  return await core.renderer.perform({ type: "collect", exports }, { namespace, signal });
}
