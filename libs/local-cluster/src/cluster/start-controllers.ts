import type { UnstructuredObject } from "@landscaper/api";
import { bootstrapRoles } from "../auth/bootstrap-roles.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { startCrdController } from "../controllers/crd-controller.ts";
import { startGarbageCollector } from "../controllers/garbage-collector.ts";
import { startNamespaceController } from "../controllers/namespace-controller.ts";
import { startPolicyStatusController } from "../controllers/policy-status-controller.ts";
import { startProtectionController } from "../controllers/protection-controller.ts";
import { systemTarget } from "../controllers/system-writes.ts";
import { startTokenController } from "../controllers/token-controller.ts";
import type { WorkLoop } from "../controllers/work-loop.ts";
import { makeCrdColumns } from "../custom-resources/crd-columns.ts";
import { customStrategy } from "../custom-resources/custom-strategy.ts";
import { fieldAt } from "../objects/json.ts";
import { createObject } from "../rest/create-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { systemWrite } from "../rest/rest-context.ts";
import { compileCrdSchema } from "../schema/compile-crd-schema.ts";

const namespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Starts the cluster's controllers on `loop` and makes the objects of a new cluster. */
export function startControllers(
  context: RestContext,
  loop: WorkLoop,
  { tokens, caPem }: { readonly tokens: ServiceAccountTokens; readonly caPem: string },
): void {
  startNamespaceController(context, loop, { caPem });
  startGarbageCollector(context, loop);
  startProtectionController(context, loop);
  startPolicyStatusController(context, loop);
  startTokenController(context, loop, { tokens, caPem });
  startCrdController(context, loop, {
    compile: (_crd, { raw, columns }) => ({
      strategy: customStrategy(compileCrdSchema(fieldAt(raw, "schema", "openAPIV3Schema"))),
      columns: makeCrdColumns(columns),
    }),
  });
  for (const name of namespaces) create(context, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const role of bootstrapRoles()) create(context, role);
  create(context, kubernetesService);
}

/** The API server itself, as every namespace's pods know it. */
const kubernetesService: UnstructuredObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
  spec: { clusterIP: "10.96.0.1", ports: [{ name: "https", port: 443, targetPort: 6443 }] },
};

function create(context: RestContext, object: UnstructuredObject): void {
  const definition = context.resources.findKind(object.apiVersion, object.kind);
  if (definition === undefined) throw new Error(`the cluster lacks its own kind ${object.kind}`);
  createObject(context, systemTarget(definition, { namespace: object.metadata.namespace ?? "", name: "" }), {
    body: object,
    options: systemWrite,
  });
}
