import { Type, type Static } from "typebox";
import { column, readyColumns, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import * as f from "../schema/schema-fields.ts";

const { optional } = f;

/** One entry of `Execution.spec.deployItems`. */
export const deployItemTemplateSchema = f.object(
  {
    name: f.text("Name of the item, unique in the Execution."),
    type: f.text("Type of the item; says which deployer acts."),
    target: optional(f.objectRefSchema),
    labels: optional(f.mapOf(Type.String(), "Labels of the DeployItem.")),
    config: f.embeddedObject("ProviderConfiguration of the deployer."),
    dependsOn: optional(f.list(Type.String(), "Items that must have succeeded before.")),
    timeout: optional(f.duration("Longest time that a deployer may take; 10m by default.")),
    updateOnChangeOnly: optional(f.flag("Deploy only when the item has changed.")),
    onDelete: optional(f.onDeleteSchema),
  },
  "A DeployItem to create.",
);
export type DeployItemTemplate = Static<typeof deployItemTemplateSchema>;

export const executionSpecSchema = f.object(
  {
    context: optional(f.text("Context of the same namespace.")),
    deployItems: optional(f.list(deployItemTemplateSchema, "DeployItems to create.")),
    deployItemsCompressed: optional(
      Type.String({ format: "byte", description: "deployItems as JSON, compressed with gzip; used instead of it." }),
    ),
  },
  "The DeployItems of an Installation.",
);
export type ExecutionSpec = Static<typeof executionSpecSchema>;

const deployItemCacheSchema = f.object(
  {
    activeDIs: optional(f.list(f.object(f.cachedNameFields, "A DeployItem."), "DeployItems of the items of the spec.")),
    orphanedDIs: optional(f.list(Type.String(), "DeployItems whose items the spec no longer has.")),
  },
  "DeployItems of the last job.",
);

export const executionStatusSchema = f.object(
  {
    ...f.jobStatusFields,
    observedGeneration: optional(f.int64("Generation that the last job worked on.")),
    phaseTransitionTime: optional(f.time("When the phase changed last.")),
    exportRef: optional(f.objectRefSchema),
    deployItemCache: optional(deployItemCacheSchema),
  },
  "State of the Execution.",
);
export type ExecutionStatus = Static<typeof executionStatusSchema>;

export interface Execution extends KubeObject {
  spec: ExecutionSpec;
  status?: ExecutionStatus;
}

export const executionKind = defineKind<Execution>({
  kind: "Execution",
  plural: "executions",
  singular: "execution",
  shortNames: ["exec"],
  description: "Holds the DeployItems of an Installation.",
  columns: [column("Phase", ".status.phase"), column("ExportRef", ".status.exportRef.name"), ...readyColumns],
  hasStatusSubresource: true,
  fields: { spec: executionSpecSchema, status: optional(executionStatusSchema) },
});
