import {
  annotations,
  apiVersion,
  generateDataName,
  hashDataObjectValue,
  keyOf,
  kubeResources,
  labels,
  LandscaperError,
  resources,
  scopeOfExecution,
  type DataObject,
  type DeployItem,
  type Execution,
} from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import type { Core } from "../../core.ts";
import { deleteObject, ensureObject, overlayMetadata } from "../../ensure-object.ts";
import { omit } from "../../job-status.ts";
import { nameOf, namespaceOf, uidOf } from "../../object-reading.ts";
import { itemNameOf } from "../deploy-item-identity.ts";
import { listDeployItems } from "../deploy-item-index.ts";
import { withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/** Key of a DeployItem's export Secret (deployers.md §1.1). */
const entry = "config";

function exportError(item: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `deploy item "${item}": ${problem}`,
    reason: "CollectExports",
    operation: "CollectExports",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** Exports of one item from its Secret, read live: Secrets are in no cache. */
async function loadItemExports(core: Core, item: DeployItem, signal: AbortSignal): Promise<unknown> {
  const { exportRef } = item.status ?? {};
  if (exportRef === undefined) return undefined;
  const key = { namespace: exportRef.namespace ?? namespaceOf(item), name: exportRef.name };
  const secret = await core.client.find(kubeResources.secret, key, { signal });
  const text = secret?.data?.[entry];
  if (text === undefined) throw exportError(itemNameOf(item), `export Secret "${key.name}" has no key "${entry}"`);
  try {
    return parseExports(Buffer.from(text, "base64").toString("utf8"));
  } catch {
    // The cause would quote the value.
    throw exportError(itemNameOf(item), `export Secret "${key.name}": expected JSON or YAML under key "${entry}"`);
  }
}

/** JSON by the contract; deployers of others write YAML as well. */
function parseExports(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fromYaml(text);
  }
}

function buildExportObject(execution: Execution, values: Readonly<Record<string, unknown>>): DataObject {
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
      annotations: { [annotations.dataHash]: hashDataObjectValue(values) },
      ownerReferences: [{ apiVersion, kind: "Execution", name, uid }],
    },
    data: values,
  };
}

/** One object holds the exports of all items, by item name (core.md §1.3 no. 66); without exports there is none. */
async function storeExports(core: Core, execution: Execution, options: StoreExports): Promise<boolean> {
  const { client, informers } = core;
  const { lister } = informers.dataObjects;
  const { values, signal } = options;
  const desired = buildExportObject(execution, values);
  const type = resources.dataObject;
  if (Object.keys(values).length > 0) {
    await ensureObject({ client, type, lister, desired, merge: overlayMetadata, signal });
    return true;
  }
  const old = lister.get(keyOf(desired));
  if (old?.metadata.ownerReferences?.some(({ uid }) => uid === uidOf(execution)) === true) {
    await deleteObject(client, { type, object: old }, signal);
  }
  return false;
}

interface StoreExports {
  readonly values: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Phase Completing (core.md §2.5): the exports of the items become the export DataObject of the Execution. */
export async function collectExports(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const { execution, templates } = pass;
  const names = new Set(templates.map(({ name }) => name));
  const items = listDeployItems(core.informers.deployItems.lister, execution).filter((item) =>
    names.has(itemNameOf(item)),
  );
  const entries = await Promise.all(
    items.map(async (item) => [itemNameOf(item), await loadItemExports(core, item, signal)] as const),
  );
  const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const hasExports = await storeExports(core, execution, { values, signal });
  const scope = scopeOfExecution(nameOf(execution));
  const exportRef = { name: generateDataName(scope, ""), namespace: namespaceOf(execution) };
  const status = omit(pass.status, "exportRef");
  return withExecutionStatus(pass, hasExports ? { ...status, exportRef } : status);
}
