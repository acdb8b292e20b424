import { listAt, recordAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { UnstructuredObject } from "@landscaper/api";
import { createObject } from "../rest/create-object.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { formatTime, systemWrite } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Remaining } from "./namespace-conditions.ts";
import { namespaceConditions } from "./namespace-conditions.ts";
import { builtin, overwrite, systemTarget } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

/** Gives each namespace its service account and CA bundle, and empties namespaces that are being deleted. */
export function startNamespaceController(
  context: RestContext,
  loop: WorkLoop,
  { caPem }: { readonly caPem: string },
): void {
  const reconcileSoon = (name: string): void =>
    loop.enqueue(`namespace/${name}`, () => reconcile(context, name, caPem));
  context.store.subscribe("*", ({ storage, current, type }) => {
    if (storage === "namespaces") reconcileSoon(current.name);
    else if (type === "DELETED" && current.namespace !== "") reconcileSoon(current.namespace);
  });
}

function reconcile(context: RestContext, name: string, caPem: string): void {
  const current = context.store.collection("namespaces").get("", name);
  if (current === undefined) return;
  if (current.object.metadata.deletionTimestamp === undefined) addDefaults(context, name, caPem);
  else terminate(context, current);
}

const bundleDescription =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal " +
  "service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

function addDefaults(context: RestContext, namespace: string, caPem: string): void {
  ensure(context, namespace, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
  ensure(context, namespace, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "kube-root-ca.crt", annotations: { "kubernetes.io/description": bundleDescription } },
    data: { "ca.crt": caPem },
  });
}

function ensure(context: RestContext, namespace: string, object: UnstructuredObject): void {
  const definition = builtin(context, "v1", object.kind === "ConfigMap" ? "configmaps" : "serviceaccounts");
  const name = object.metadata.name ?? "";
  if (context.store.collection(definition.storage).get(namespace, name) !== undefined) return;
  createObject(context, systemTarget(definition, { namespace, name: "" }), { body: object, options: systemWrite });
}

/** Deletes what can be deleted; then the namespace goes, or says in its status what it waits for. */
function terminate(context: RestContext, current: StoredObject): void {
  const remaining = emptyNamespace(context, current.name);
  const isEmpty = remaining.resources.size === 0;
  const status = recordAt(current.object, "status");
  const hasConditions = listAt(status, "conditions").length > 0;
  const finalizers = listAt(current.object, "spec", "finalizers").filter((name) => !isEmpty || name !== "kubernetes");
  const isFinished = finalizers.length === 0 && (current.object.metadata.finalizers ?? []).length === 0;
  if (isFinished) {
    context.store.remove("namespaces", current.object, current);
    return;
  }
  const conditions = namespaceConditions(remaining, listAt(status, "conditions"), formatTime(context.now()));
  const object: UnstructuredObject = {
    ...current.object,
    spec: finalizers.length === 0 ? {} : { finalizers },
    status: isEmpty && !hasConditions ? status : { ...status, conditions },
  };
  overwrite(context, builtin(context, "v1", "namespaces"), { current, object, subresource: "status" });
}

/** Deletes all objects; answers what stays because of finalizers. */
function emptyNamespace(context: RestContext, namespace: string): Remaining {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const definition of namespacedStorages(context)) {
    for (const { name } of context.store.collection(definition.storage).list(namespace)) {
      const left = deleteOne(context, definition, { namespace, name });
      if (left === undefined) continue;
      count(resources, `${definition.plural}.${definition.group}`);
      for (const finalizer of left.object.metadata.finalizers ?? []) count(finalizers, finalizer);
    }
  }
  return { resources, finalizers };
}

function namespacedStorages(context: RestContext): readonly ResourceDefinition[] {
  const definitions = context.resources.all().filter(({ namespaced }) => namespaced);
  return [...new Map(definitions.map((definition) => [definition.storage, definition])).values()];
}

/** Undefined when the object is gone. */
function deleteOne(
  context: RestContext,
  definition: ResourceDefinition,
  key: { readonly namespace: string; readonly name: string },
): StoredObject | undefined {
  const current = context.store.collection(definition.storage).get(key.namespace, key.name);
  if (current === undefined || current.object.metadata.deletionTimestamp !== undefined) return current;
  const options = { dryRun: false, propagationPolicy: "Background" } as const;
  const { removed, object } = deleteObject(context, systemTarget(definition, key), options);
  return removed ? undefined : object;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
