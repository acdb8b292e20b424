import { Type, type Static } from "typebox";
import type { ValidationRule } from "../foreign-kinds.ts";
import { defineKind } from "../kind-definition.ts";
import type { KubeObject } from "../kube-object.ts";
import * as f from "../schema-fields.ts";
import { targetSelectorSchema } from "../target-selector.ts";
import { targetTemplateSchema } from "./target.ts";

const { optional } = f;

export const clusterConfigSchema = f.object(
  {
    host: f.text("URL of the API server."),
    apiPath: f.text("Path below the host."),
    insecure: optional(f.flag("Do not check the server's certificate.")),
    serverName: optional(f.text("Name in the server's certificate.")),
    caData: optional(f.text("Certificate authority, PEM in base64; may be empty.")),
    nextProtos: optional(f.list(Type.String(), "Protocols for TLS.")),
  },
  "How deployers of the environment reach the Landscaper cluster.",
);

/** No webhook ever checked this kind, so no label exempts from the rule. */
const hostTargetRule: ValidationRule = {
  rule: "!has(self.config) || !has(self.secretRef)",
  message: "spec.hostTarget: only one of config and secretRef may be set",
};

/** Its config is an object here: CEL cannot ask for a field of which the schema says nothing. */
const hostTargetSchema = Type.Object(
  { ...targetTemplateSchema.properties, config: optional(f.anyObject("Access data.")) },
  { description: "The Target of the host.", "x-kubernetes-validations": [hostTargetRule] },
);

export const environmentSpecSchema = f.object(
  {
    hostTarget: hostTargetSchema,
    namespace: f.text("Namespace of the host for deployers."),
    landscaperClusterConfig: clusterConfigSchema,
    targetSelectors: f.list(targetSelectorSchema, "Targets that the environment's deployers act for."),
  },
  "A cluster with its own deployers.",
);
export type EnvironmentSpec = Static<typeof environmentSpecSchema>;

export interface Environment extends KubeObject {
  spec: EnvironmentSpec;
}

export const environmentKind = defineKind<Environment>({
  kind: "Environment",
  plural: "environments",
  singular: "environment",
  shortNames: ["env"],
  description: "A cluster, often fenced, that runs its own deployers.",
  withoutEffect: "Landscaper does not install deployers",
  columns: [],
  clusterScoped: true,
  fields: { spec: environmentSpecSchema },
});
