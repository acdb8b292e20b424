import type { UnstructuredObject } from "@landscaper/api";
import { parseCrd } from "../custom-resources/crd-fields.ts";
import type { CrdFields, CrdVersion } from "../custom-resources/crd-fields.ts";
import type { CustomResourceParts } from "../custom-resources/define-custom-resource.ts";
import { defineCustomResource } from "../custom-resources/define-custom-resource.ts";
import { crdFinalizer } from "../custom-resources/crd-strategy.ts";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { formatTime } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { builtin, overwrite, removeFinalizer, systemTarget } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

const storage = "customresourcedefinitions.apiextensions.k8s.io";

export interface CrdControllerOptions {
  /** Makes what a version's schema and columns say. */
  compile(crd: CrdFields, version: CrdVersion): CustomResourceParts;
}

/** Serves the resources of CRDs and removes their instances with them. */
export function startCrdController(context: RestContext, loop: WorkLoop, options: CrdControllerOptions): void {
  const served = new Map<string, readonly ResourceDefinition[]>();
  const reconcileSoon = (name: string): void =>
    loop.enqueue(`crd/${name}`, () => reconcile(context, name, { served, options }));
  context.store.subscribe("*", (event) => {
    if (event.storage === storage) reconcileSoon(event.current.name);
    else if (event.type === "DELETED" && served.has(event.storage)) reconcileSoon(event.storage);
  });
}

interface CrdState {
  /** By name of the CRD, which is also the storage of its instances. */
  readonly served: Map<string, readonly ResourceDefinition[]>;
  readonly options: CrdControllerOptions;
}

function reconcile(context: RestContext, name: string, state: CrdState): void {
  const current = context.store.collection(storage).get("", name);
  if (current === undefined) {
    serve(context, name, { ...state, next: [] });
    return;
  }
  if (current.object.metadata.deletionTimestamp !== undefined) {
    terminate(context, current, state);
    return;
  }
  const crd = parseCrd(current.object);
  const known = state.served.get(name);
  const isSame = known !== undefined && appliedGeneration.get(known) === current.object.metadata.generation;
  if (!isSame) {
    const next = crd.versions
      .filter((version) => version.served)
      .map((version) => defineCustomResource(crd, version, state.options.compile(crd, version)));
    appliedGeneration.set(next, current.object.metadata.generation ?? 0);
    serve(context, name, { ...state, next });
  }
  const object = established(context, current.object, crd);
  const definition = builtin(context, "apiextensions.k8s.io/v1", "customresourcedefinitions");
  overwrite(context, definition, { current, object, subresource: "status", manager: "kube-apiserver" });
}

/** The CRD generation that a list of definitions was made from. */
const appliedGeneration = new WeakMap<readonly ResourceDefinition[], number>();

function serve(
  context: RestContext,
  name: string,
  { served, next }: CrdState & { readonly next: readonly ResourceDefinition[] },
): void {
  for (const definition of served.get(name) ?? []) {
    const isReplaced = next.some(
      ({ version, plural }) => version === definition.version && plural === definition.plural,
    );
    if (isReplaced) context.resources.remove(definition);
    else context.resources.drop(definition);
  }
  for (const definition of next) context.resources.add(definition);
  if (next.length === 0) served.delete(name);
  else served.set(name, next);
}

function established(context: RestContext, crd: UnstructuredObject, fields: CrdFields): UnstructuredObject {
  const stored = fields.versions.filter((version) => version.storage).map((version) => version.name);
  const known = listAt(crd, "status", "storedVersions").filter((version) => typeof version === "string");
  const conditions = listAt(crd, "status", "conditions").filter(isRecord);
  return {
    ...crd,
    status: {
      ...recordAt(crd, "status"),
      acceptedNames: recordAt(crd, "spec", "names"),
      storedVersions: [...new Set([...known, ...stored])],
      conditions: [
        ...conditions.filter((condition) => !["NamesAccepted", "Established"].includes(stringAt(condition, "type"))),
        conditionOf(context, conditions, {
          type: "NamesAccepted",
          reason: "NoConflicts",
          message: "no conflicts found",
        }),
        conditionOf(context, conditions, {
          type: "Established",
          reason: "InitialNamesAccepted",
          message: "the initial names have been accepted",
        }),
      ],
    },
  };
}

function conditionOf(
  context: RestContext,
  conditions: readonly Readonly<Record<string, unknown>>[],
  condition: { readonly type: string; readonly reason: string; readonly message: string },
): Readonly<Record<string, unknown>> {
  const known = conditions.find((candidate) => candidate["type"] === condition.type && candidate["status"] === "True");
  if (known !== undefined) return known;
  const { type, reason, message } = condition;
  return { type, status: "True", lastTransitionTime: formatTime(context.now()), reason, message };
}

function terminate(context: RestContext, current: StoredObject, state: CrdState): void {
  const { name } = current;
  const crdDefinition = context.resources.findStorage(storage);
  const definitions = state.served.get(name) ?? [];
  const [definition] = definitions;
  if (definition !== undefined && definition.createForbidden === undefined) {
    const createForbidden = "create not allowed while custom resource definition is terminating";
    serve(context, name, { ...state, next: definitions.map((served) => ({ ...served, createForbidden })) });
  }
  if (definition !== undefined && removeInstances(context, definition)) return;
  serve(context, name, { ...state, next: [] });
  if (crdDefinition === undefined) return;
  removeFinalizer(context, crdDefinition, { current, finalizer: crdFinalizer });
}

/** True while instances are left. */
function removeInstances(context: RestContext, definition: ResourceDefinition): boolean {
  let isLeft = false;
  for (const { namespace, name, object } of context.store.collection(definition.storage).list()) {
    if (object.metadata.deletionTimestamp === undefined) {
      const target = systemTarget(definition, { namespace, name });
      if (deleteObject(context, target, { dryRun: false }).removed) continue;
    }
    isLeft = true;
  }
  return isLeft;
}
