import { gzipSync } from "node:zlib";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import * as contract from "../src/kits/contract-names.ts";
import { isFinal, scopedName } from "../src/kits/contract-names.ts";
import type { Api, Item } from "../src/kits/plain-api.ts";
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
  newJobID,
  now,
  ownerReference,
  releaseObject,
  writeStatus,
} from "./original-objects.ts";
import type { Imports } from "./original-data.ts";
import { flowOf, loadImports, outerName, parentOf, putData, referencesOf } from "./original-data.ts";
import { itemsOf } from "./original-execution.ts";
import type { Blueprint } from "./original-template.ts";
import { render, writeDuration } from "./original-template.ts";

const deletionPhases: ReadonlySet<string> = new Set(["InitDelete", "TriggerDelete", "Deleting", "DeleteFailed"]);

const isTriggered = ({ metadata }: Item): boolean => metadata.annotations?.[contract.operation] === "reconcile";

/** core.md §2.2. */
export async function reconcileInstallation(core: CoreContext, installation: Item): Promise<void> {
  const { api } = core;
  if (await ensureFinalizer(api, installation)) return;
  const { status = {}, metadata } = installation;
  if (isOpen(installation)) return runPhase(core, installation);
  const isDeletion = isDeleting(installation) && !deletionPhases.has(status.phase ?? "");
  if (parentOf(installation) !== undefined || !(isTriggered(installation) || isDeletion)) return;
  const started = { jobID: newJobID(), transitionTimes: { triggerTime: now() } };
  await writeStatus(api, installation, { observedGeneration: 0, ...status, ...started });
  await api.patch("Installation", metadata.name, { metadata: { annotations: { [contract.operation]: null } } });
}

/** core.md §2.3. */
async function runPhase(core: CoreContext, installation: Item): Promise<void> {
  const { api } = core;
  switch (installation.status?.phase ?? "") {
    case "Init":
      return init(core, installation);
    case "CleanupOrphaned":
    case "ObjectsCreated":
      return startSubObjects(api, installation, "Progressing");
    case "Progressing":
      return progress(api, installation);
    case "Completing":
      return complete(api, installation);
    case "InitDelete":
      return deleteSubObjects(api, installation);
    case "TriggerDelete":
      return startSubObjects(api, installation, "Deleting");
    case "Deleting":
      return finishDeletion(api, installation);
    default: {
      const { generation: observedGeneration = 0 } = installation.metadata;
      const transitionTimes = { ...installation.status?.transitionTimes, initTime: now() };
      const phase = isDeleting(installation) ? "InitDelete" : "Init";
      const next = { phase, observedGeneration, transitionTimes, subInstCache: undefined, lastError: undefined };
      await writeStatus(api, installation, next);
    }
  }
}

async function end(api: Api, installation: Item, failure?: readonly [operation: string, reason: string, text: string]) {
  const [operation = "", reason = "", message = ""] = failure ?? [];
  const times = { lastTransitionTime: now(), lastUpdateTime: now() };
  const failed = isDeleting(installation) ? "DeleteFailed" : "Failed";
  await writeStatus(api, installation, {
    phase: failure === undefined ? "Succeeded" : failed,
    jobIDFinished: installation.status?.jobID ?? "",
    transitionTimes: { ...installation.status?.transitionTimes, finishedTime: now() },
    lastError: failure === undefined ? undefined : { operation, reason, message, ...times },
  });
}

async function siblingsOf(api: Api, installation: Item): Promise<readonly Item[]> {
  const all = await api.list("Installation");
  const parent = parentOf(installation);
  return all.filter(
    (other) => other.metadata.uid !== installation.metadata.uid && isDeepStrictEqual(parentOf(other), parent),
  );
}

function blueprintOf({ spec }: Item): Blueprint {
  const inline: unknown = Reflect.get(Object(spec?.["blueprint"]), "inline");
  const files: unknown = Reflect.get(Object(inline), "filesystem");
  return parse(String(Reflect.get(Object(files), "blueprint.yaml"))) as Blueprint; // of our own landscapes
}

const subInstallationsOf = async (api: Api, { metadata }: Item): Promise<readonly Item[]> =>
  (await api.list("Installation", `${contract.encompassedBy}=${metadata.name}`)).map((item) => ({
    ...item,
    apiVersion,
    kind: "Installation",
  }));

/** Nested Installations and the Execution. */
async function subObjectsOf(api: Api, installation: Item): Promise<readonly Item[]> {
  const execution = await api.find("Execution", installation.metadata.name);
  return [...(await subInstallationsOf(api, installation)), ...(execution === undefined ? [] : [execution])];
}

async function init(core: CoreContext, installation: Item): Promise<void> {
  const { api } = core;
  const { jobID } = installation.status ?? {};
  const isNested = parentOf(installation) !== undefined;
  const wanted = new Set(referencesOf(installation, "imports"));
  const siblings = await siblingsOf(api, installation);
  const predecessors = siblings.filter((other) => referencesOf(other, "exports").some((name) => wanted.has(name)));
  const isWaiting = predecessors.some((one) => (isNested ? !hasEnded(one, jobID) : isOpen(one) || isTriggered(one)));
  if (isWaiting) return;
  if (predecessors.some(({ status }) => status?.phase !== "Succeeded")) {
    return end(api, installation, ["init", "AllPredecessorsSucceeded", "not all predecessors succeeded"]);
  }
  await removeExports(api, installation);
  const imports = await loadImports(api, installation);
  await writeImports(api, installation, imports);
  await ensureSubInstallations(core, installation);
  await ensureExecution(core, installation, imports);
  const executionRef = { name: installation.metadata.name, namespace: installation.metadata.namespace ?? "" };
  const hasExecution = blueprintOf(installation).deployExecutions !== undefined;
  const created = { importsHash: imports.hash, ...(hasExecution ? { executionRef } : {}) };
  await writeStatus(api, installation, { ...created, phase: "CleanupOrphaned" });
}

async function removeExports(api: Api, { metadata: { name } }: Item): Promise<void> {
  const selector = `${contract.data.source}=Inst.${name},${contract.data.sourceType}=export`;
  for (const kind of ["DataObject", "Target"] as const) {
    for (const { metadata } of await api.list(kind, selector)) await api.delete(kind, metadata.name);
  }
}

async function writeImports(api: Api, installation: Item, { data, targets }: Imports): Promise<void> {
  const scope = `Inst.${installation.metadata.name}`;
  const placeOf = (key: string) =>
    ({
      name: scopedName(scope, key),
      key,
      context: scope,
      source: scope,
      sourceType: "import",
      owner: installation,
    }) as const;
  for (const [key, value] of Object.entries(data)) await putData(api, placeOf(key), { data: value });
  for (const [key, { spec = {} }] of Object.entries(targets)) await putData(api, placeOf(key), { spec });
}

async function ensureSubInstallations({ api, note }: CoreContext, installation: Item): Promise<void> {
  const found = await subInstallationsOf(api, installation);
  for (const { name, blueprint, imports, exports } of blueprintOf(installation).subinstallations ?? []) {
    const spec = { context: "default", blueprint: { inline: blueprint }, imports, exports };
    const live = found.find(({ metadata }) => metadata.annotations?.[contract.subinstallationName] === name);
    if (live === undefined) {
      const metadata = {
        name: generateName(`${name}-`),
        labels: { [contract.encompassedBy]: installation.metadata.name },
        annotations: { [contract.subinstallationName]: name },
        ownerReferences: [ownerReference(installation, true)],
      };
      note(`create Installation ${metadata.name}`);
      await api.create({ apiVersion, kind: "Installation", metadata, spec });
    } else if (!isSame(live.spec, spec)) {
      note(`change Installation ${live.metadata.name}`);
      await api.patch("Installation", live.metadata.name, { spec });
    }
  }
}

async function ensureExecution({ api, note }: CoreContext, installation: Item, imports: Imports): Promise<void> {
  const { name, namespace } = installation.metadata;
  const executions = blueprintOf(installation).deployExecutions ?? [];
  const items = executions
    .flatMap(({ template }) => render(template, { imports: imports.data }).deployItems ?? [])
    .map(({ target, timeout, ...item }) => {
      const imported = String(Reflect.get(Object(target), "import"));
      const { target: reference = "" } =
        flowOf(installation, "imports").targets.find((each) => each.name === imported) ?? {};
      const time = timeout === undefined ? {} : { timeout: writeDuration(timeout) };
      const at = target === undefined ? {} : { target: { name: outerName(installation, reference), namespace } };
      return { ...item, ...time, ...at };
    });
  if (items.length === 0) return;
  const annotations = { [contract.operation]: "reconcile" };
  const spec = { context: "default", deployItemsCompressed: gzipSync(JSON.stringify(items)).toString("base64") };
  const live = await api.find("Execution", name);
  if (live === undefined) {
    note(`create Execution ${name}`);
    const metadata = { name, annotations, ownerReferences: [ownerReference(installation, true)] };
    await api.create({ apiVersion, kind: "Execution", metadata, spec });
    return;
  }
  const isChanged = !isSame(itemsOf(live), items);
  if (isChanged) note(`change Execution ${name}`);
  await api.patch("Execution", name, { metadata: { annotations }, ...(isChanged ? { spec } : {}) });
}

async function startSubObjects(api: Api, installation: Item, phase: string): Promise<void> {
  const { jobID, transitionTimes } = installation.status ?? {};
  for (const object of await subObjectsOf(api, installation)) await handOver(api, object, jobID);
  await writeStatus(api, installation, { phase, transitionTimes: { ...transitionTimes, waitTime: now() } });
}

async function progress(api: Api, installation: Item): Promise<void> {
  const { jobID } = installation.status ?? {};
  const objects = await subObjectsOf(api, installation);
  if (!objects.every((object) => hasEnded(object, jobID))) return;
  if (objects.every(({ status }) => status?.phase === "Succeeded")) {
    await writeStatus(api, installation, { phase: "Completing" });
    return;
  }
  await end(api, installation, ["handlePhaseProgressing", "children failed", "sub-objects have failed"]);
}

async function complete(api: Api, installation: Item): Promise<void> {
  const { name, generation } = installation.metadata;
  const { importsHash, observedGeneration, jobID } = installation.status ?? {};
  const imports = await loadImports(api, installation);
  const operation = "handlePhaseCompleting";
  if (imports.hash !== importsHash)
    return end(api, installation, [operation, "CheckImportsHash", "imports have changed"]);
  if (generation !== observedGeneration) {
    return end(api, installation, [operation, "CheckObservedGeneration", "the spec has changed"]);
  }
  const scope = `Inst.${name}`;
  const inner = await api.list("DataObject", `${contract.data.context}=${scope}`);
  for (const { metadata } of inner) {
    if (metadata.labels?.[contract.data.jobID] !== jobID) await api.delete("DataObject", metadata.name);
  }
  const dataobjects = Object.fromEntries(inner.map((each) => [each.metadata.labels?.[contract.data.key], each.data]));
  const exportRef = (await api.find("Execution", name))?.status?.exportRef;
  const deployitems = exportRef === undefined ? {} : (await api.get("DataObject", exportRef.name)).data;
  const values = { imports: imports.data, values: { deployitems, dataobjects } };
  const executions = blueprintOf(installation).exportExecutions ?? [];
  const exported = executions.map(({ template }) => render(template, values).exports);
  const parent = parentOf(installation);
  for (const { name: key, dataRef = "" } of flowOf(installation, "exports").data) {
    const context = parent === undefined ? "" : `Inst.${parent}`;
    const place = { name: outerName(installation, dataRef), key: dataRef, context, source: scope } as const;
    const data: unknown = Reflect.get(Object.assign({}, ...exported), key);
    await putData(api, { ...place, sourceType: "export", owner: installation }, { data });
  }
  await end(api, installation);
}

async function deleteSubObjects(api: Api, installation: Item): Promise<void> {
  const exported = new Set(referencesOf(installation, "exports"));
  const siblings = await siblingsOf(api, installation);
  // A successor goes first.
  if (siblings.some((other) => referencesOf(other, "imports").some((name) => exported.has(name)))) return;
  for (const { kind, metadata, ...object } of await subObjectsOf(api, installation)) {
    if (isDeleting({ ...object, kind, metadata })) continue;
    await api.delete(kind === "Installation" ? "Installation" : "Execution", metadata.name);
  }
  await writeStatus(api, installation, { phase: "TriggerDelete" });
}

async function finishDeletion(api: Api, installation: Item): Promise<void> {
  const objects = await subObjectsOf(api, installation);
  if (objects.length === 0) return releaseObject(api, installation);
  const { jobID } = installation.status ?? {};
  const isStuck = objects.every((object) => isFinal(object.status?.phase) && hasEnded(object, jobID));
  if (isStuck) await end(api, installation, ["handleDeletionPhaseDeleting", "DeleteFailed", "sub-objects are left"]);
}
