import { gunzipSync } from "node:zlib";
import * as contract from "../src/kits/contract-names.ts";
import { isFinal, scopedName } from "../src/kits/contract-names.ts";
import type { Item } from "../src/kits/plain-api.ts";
import { apiVersion } from "../src/kits/plain-api.ts";
import type { CoreContext } from "./original-objects.ts";
import {
  ensureFinalizer,
  generateName,
  handOver,
  hasEnded,
  isDeleting,
  isOpen,
  isSame,
  now,
  ownerReference,
  releaseObject,
  writeStatus,
} from "./original-objects.ts";
import { putData } from "./original-data.ts";

/** An entry of the items in an Execution. */
export interface ItemTemplate {
  readonly name: string;
  readonly type: string;
  readonly dependsOn?: readonly string[];
  readonly timeout?: string;
  readonly [field: string]: unknown;
}

/** Only the compressed form is written. */
export function itemsOf({ spec }: Item): readonly ItemTemplate[] {
  const packed = spec?.["deployItemsCompressed"];
  if (typeof packed !== "string") return [];
  return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as ItemTemplate[];
}

const nameOf = ({ metadata }: Item): string => metadata.labels?.[contract.managedName] ?? "";

/** core.md §2.5. */
export async function reconcileExecution(core: CoreContext, execution: Item): Promise<void> {
  const { api } = core;
  if (!isOpen(execution) || (await ensureFinalizer(api, execution))) return;
  const items = await api.list("DeployItem", `${contract.managedBy}=${execution.metadata.name}`);
  switch (execution.status?.phase ?? "") {
    case "Init":
      await ensureItems(core, execution, items);
      await writeStatus(api, execution, { phase: "Progressing" });
      return;
    case "Progressing":
      return progress(core, execution, items);
    case "Completing":
      return complete(core, execution, items);
    case "InitDelete":
      for (const item of items) if (!isDeleting(item)) await api.delete("DeployItem", item.metadata.name);
      await writeStatus(api, execution, { phase: "Deleting" });
      return;
    case "Deleting":
      return uninstall(core, execution, items);
    default: {
      const phase = isDeleting(execution) ? "InitDelete" : "Init";
      const transitionTimes = { ...execution.status?.transitionTimes, initTime: now() };
      await writeStatus(api, execution, { phase, transitionTimes, lastError: undefined });
    }
  }
}

async function ensureItems({ api, note }: CoreContext, execution: Item, items: readonly Item[]): Promise<void> {
  const wanted = itemsOf(execution);
  for (const item of items) {
    const isOrphan = wanted.every(({ name }) => name !== nameOf(item));
    if (isOrphan && !isDeleting(item)) await api.delete("DeployItem", item.metadata.name);
  }
  for (const { name, dependsOn, ...fields } of wanted) {
    const spec = { context: "default", ...fields };
    const found = items.find((item) => nameOf(item) === name);
    const annotations = {
      [contract.deployerType]: fields.type,
      [contract.deployerTargetName]: String(Reflect.get(Object(fields["target"]), "name") ?? ".noTargetName"),
      ...(dependsOn === undefined ? {} : { [contract.dependsOn]: dependsOn.join(",") }),
    };
    if (found === undefined) {
      const labels = { [contract.managedBy]: execution.metadata.name, [contract.managedName]: name };
      const metadata = {
        name: generateName(`${execution.metadata.name}-${name}-`),
        labels,
        annotations,
        finalizers: [contract.finalizer],
        ownerReferences: [ownerReference(execution, true)],
      };
      note(`create DeployItem ${metadata.name}`);
      await api.create({ apiVersion, kind: "DeployItem", metadata, spec });
    } else if (!isSame(found.spec, spec)) {
      note(`change DeployItem ${found.metadata.name}`);
      await api.patch("DeployItem", found.metadata.name, { metadata: { annotations }, spec });
    }
  }
}

async function trigger({ api }: CoreContext, item: Item, jobID: string | undefined): Promise<void> {
  const times = { jobIDGenerationTime: now(), transitionTimes: { triggerTime: now() } };
  const status = { observedGeneration: 0, ...item.status, ...times };
  await handOver(api, { ...item, apiVersion, kind: "DeployItem", status }, jobID);
}

/** core.md §2.6. */
async function progress(core: CoreContext, execution: Item, items: readonly Item[]): Promise<void> {
  const { jobID } = execution.status ?? {};
  const wanted = itemsOf(execution);
  const find = (name: string) => items.find((item) => nameOf(item) === name);
  const isDone = (name: string): boolean => find(name)?.status?.jobIDFinished === jobID;
  const orphans = items.filter((item) => wanted.every(({ name }) => name !== nameOf(item)));
  const hasFailed = wanted.some(({ name }) => {
    const item = find(name);
    return item === undefined || (hasEnded(item, jobID) && item.status?.phase !== "Succeeded");
  });
  for (const orphan of orphans) await trigger(core, orphan, jobID);
  if (orphans.length > 0) return;
  const runs = wanted.filter(({ name }) => find(name)?.status?.jobID === jobID && !isDone(name));
  if (hasFailed) {
    if (runs.length === 0) await end(core, execution, "has failed or missing deploy items");
    return;
  }
  for (const { name, dependsOn = [] } of wanted) {
    const item = find(name);
    const isRunnable = item?.status?.jobID !== jobID && dependsOn.every(isDone);
    if (item !== undefined && isRunnable) await trigger(core, item, jobID);
  }
  if (wanted.every(({ name }) => isDone(name))) await writeStatus(core.api, execution, { phase: "Completing" });
}

async function end({ api }: CoreContext, execution: Item, failure?: string): Promise<void> {
  const transitionTimes = { ...execution.status?.transitionTimes, finishedTime: now() };
  const ended = { jobIDFinished: execution.status?.jobID ?? "", transitionTimes };
  const error = { operation: "handlePhaseProgressing", lastTransitionTime: now(), lastUpdateTime: now() };
  const lastError = failure === undefined ? undefined : { ...error, reason: "children failed", message: failure };
  const phase = failure === undefined ? "Succeeded" : isDeleting(execution) ? "DeleteFailed" : "Failed";
  await writeStatus(api, execution, { ...ended, phase, lastError });
}

/** What all items export, below their names. */
async function complete(core: CoreContext, execution: Item, items: readonly Item[]): Promise<void> {
  const { api } = core;
  const { name, namespace } = execution.metadata;
  const exports: Record<string, unknown> = {};
  for (const item of items) {
    const { exportRef } = item.status ?? {};
    if (exportRef === undefined) continue;
    const secret = await api.get("Secret", exportRef.name);
    const config = String(Reflect.get(Object(secret.data), "config"));
    exports[nameOf(item)] = JSON.parse(Buffer.from(config, "base64").toString("utf8"));
  }
  if (Object.keys(exports).length === 0) return end(core, execution);
  const scope = `Exec.${name}`;
  const exportRef = { name: scopedName(scope, ""), namespace };
  const place = { name: exportRef.name, key: "", context: scope, source: scope, sourceType: "export" } as const;
  await putData(api, { ...place, owner: execution }, { data: exports });
  await end(core, { ...execution, status: { ...execution.status, exportRef } });
}

async function uninstall(core: CoreContext, execution: Item, items: readonly Item[]): Promise<void> {
  const { jobID } = execution.status ?? {};
  if (items.length === 0) return releaseObject(core.api, execution);
  const templates = itemsOf(execution);
  const isNeeded = (item: Item): boolean =>
    items.some((other) =>
      templates.some(({ name, dependsOn }) => name === nameOf(other) && dependsOn?.includes(nameOf(item)) === true),
    );
  const runs = items.filter(({ status }) => status?.jobID === jobID && !isFinal(status?.phase));
  const runnable = items.filter((item) => item.status?.jobID !== jobID && !isNeeded(item));
  for (const item of runnable) await trigger(core, item, jobID);
  if (runs.length === 0 && runnable.length === 0 && items.every((item) => hasEnded(item, jobID) || isNeeded(item))) {
    await end(core, execution, "has items that cannot be uninstalled");
  }
}
