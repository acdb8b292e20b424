import type { Static } from "typebox";
import { defaultContextName } from "../objects/api-group.ts";
import { column, readyColumns, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import * as f from "../schema/schema-fields.ts";

const { optional } = f;

export const deployItemSpecSchema = f.object(
  {
    type: f.text("Type of the item; says which deployer acts. It never changes."),
    target: optional(f.objectRefSchema),
    context: optional(f.withDefault(f.text("Context of the same namespace."), defaultContextName)),
    config: optional(f.embeddedObject("ProviderConfiguration of the deployer.")),
    timeout: optional(f.duration("Longest time that a deployer may take; 10m by default.")),
    updateOnChangeOnly: optional(f.flag("Deploy only when the item has changed.")),
    onDelete: optional(f.onDeleteSchema),
  },
  "What a deployer has to deploy.",
);
export type DeployItemSpec = Static<typeof deployItemSpecSchema>;

export const deployItemStatusSchema = f.serverRequires(
  f.object(
    {
      ...f.jobStatusFields,
      observedGeneration: optional(f.int64("Generation that the last job worked on.")),
      lastErrors: optional(f.list(f.errorStatusSchema, "The last errors of the job, at most 5.")),
      firstError: optional(f.errorStatusSchema),
      lastReconcileTime: optional(f.time("When a deployer picked the job up.")),
      deployer: optional(
        f.serverRequires(
          f.object(
            {
              identity: optional(f.text("Instance of the deployer.")),
              name: optional(f.text("Name of the deployer.")),
              version: optional(f.text("Version of the deployer.")),
            },
            "The deployer that acts.",
          ),
          ["identity", "name", "version"],
        ),
      ),
      providerStatus: optional(f.anyObject("State that the deployer keeps.")),
      exportRef: optional(f.objectRefSchema),
      jobIDGenerationTime: optional(f.time("When jobID was written.")),
      workedSeconds: optional(
        f.int64(
          "Seconds that deployers had worked on the job at the last write of the status. A restarted deployer continues from this value.",
        ),
      ),
      deployItemPhase: optional(f.withoutEffect(f.text("Not used any more."), "phase says it")),
    },
    "State of the DeployItem.",
  ),
  ["observedGeneration"],
);
export type DeployItemStatus = Static<typeof deployItemStatusSchema>;

export interface DeployItem extends KubeObject {
  spec: DeployItemSpec;
  status?: DeployItemStatus;
}

export const deployItemKind = defineKind<DeployItem>({
  kind: "DeployItem",
  plural: "deployitems",
  singular: "deployitem",
  shortNames: ["di"],
  description: "One unit of deployment, handled by a deployer.",
  columns: [
    column("Type", ".spec.type"),
    column("Phase", ".status.phase"),
    column("ExportRef", ".status.exportRef.name"),
    ...readyColumns,
  ],
  hasStatusSubresource: true,
  fields: { spec: deployItemSpecSchema, status: optional(deployItemStatusSchema) },
});
