import { fieldAt } from "../objects/json.ts";
import type { UnstructuredObject } from "@landscaper/api";
import { createObject } from "../rest/create-object.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { systemWrite } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
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
  else if (!emptyNamespace(context, name)) finalize(context, current);
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

/** Deletes what can be deleted; true while something is left. */
function emptyNamespace(context: RestContext, namespace: string): boolean {
  const storages = new Map(
    context.resources
      .all()
      .filter(({ namespaced }) => namespaced)
      .map((definition) => [definition.storage, definition]),
  );
  let isLeft = false;
  for (const [storage, definition] of storages) {
    for (const { name, object } of context.store.collection(storage).list(namespace)) {
      if (object.metadata.deletionTimestamp !== undefined) {
        isLeft = true;
        continue;
      }
      const options = { dryRun: false, propagationPolicy: "Background" } as const;
      const { removed } = deleteObject(context, systemTarget(definition, { namespace, name }), options);
      if (!removed) isLeft = true;
    }
  }
  return isLeft;
}

function finalize(context: RestContext, current: StoredObject): void {
  const finalizers = fieldAt(current.object, "spec", "finalizers");
  const rest = Array.isArray(finalizers) ? finalizers.filter((finalizer) => finalizer !== "kubernetes") : [];
  const object: UnstructuredObject = { ...current.object, spec: rest.length === 0 ? {} : { finalizers: rest } };
  if (rest.length > 0 || (object.metadata.finalizers ?? []).length > 0) {
    overwrite(context, "namespaces", { current, object });
    return;
  }
  context.store.remove("namespaces", object, current);
}
