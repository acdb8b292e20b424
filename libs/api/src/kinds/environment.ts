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
    caData: optional(Type.String({ format: "byte", description: "Certificate authority, PEM." })),
    nextProtos: optional(f.list(Type.String(), "Protocols for TLS.")),
  },
  "How deployers of the environment reach the Landscaper cluster.",
);

export const environmentSpecSchema = f.object(
  {
    hostTarget: Type.Object(targetTemplateSchema.properties, {
      description: "The Target of the host.",
      "x-kubernetes-validations": [
        {
          rule: "!has(self.config) || !has(self.secretRef)",
          message: "spec.hostTarget: only one of config and secretRef may be set",
        },
      ] satisfies ValidationRule[],
    }),
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
  columns: [],
  clusterScoped: true,
  fields: { spec: environmentSpecSchema },
});
