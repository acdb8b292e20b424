import { Type, type Static } from "typebox";
import type { ValidationRule } from "../objects/foreign-kinds.ts";
import { defineKind, type PrinterColumn } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import * as f from "../schema/schema-fields.ts";
import { blueprintReferenceSchema, componentDescriptorReferenceSchema } from "./blueprint-reference.ts";
import { installationImportsSchema } from "./data-flow.ts";

const { optional } = f;

/** No webhook ever checked this kind, so no label exempts from these rules. */
const templateRules: readonly ValidationRule[] = [
  {
    rule: "has(self.blueprint.ref) != has(self.blueprint.inline)",
    message: "spec.installationTemplate.blueprint: exactly one of inline and ref must be set",
  },
  {
    rule: "!has(self.componentDescriptor) || has(self.componentDescriptor.ref) != has(self.componentDescriptor.inline)",
    message: "spec.installationTemplate.componentDescriptor: exactly one of inline and ref must be set",
  },
];

export type RolloutOnFailure = "Pause" | "Continue";

const rolloutSchema = f.object(
  {
    maxUnavailable: optional(
      Type.Integer({
        format: "int32",
        minimum: 1,
        description: "How many Environments may have a deployer in work because of a change. Default: 1.",
      }),
    ),
    canary: optional(
      f.list(Type.String(), "Environments that get a change before all others; these wait for their success."),
    ),
    onFailure: optional(
      Type.Unsafe<RolloutOnFailure>({
        type: "string",
        enum: ["Pause", "Continue"],
        description: "Whether a change that has failed in an Environment goes on to others. Default: Pause.",
      }),
    ),
  },
  "How a change of installationTemplate goes out. Default: to all Environments at once.",
);
export type DeployerRollout = Static<typeof rolloutSchema>;

export const deployerRegistrationSpecSchema = f.object(
  {
    types: f.list(Type.String(), "Types of DeployItems that the deployer handles."),
    installationTemplate: Type.Object(
      {
        componentDescriptor: optional(componentDescriptorReferenceSchema),
        blueprint: blueprintReferenceSchema,
        imports: optional(installationImportsSchema),
        importDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Import values of the blueprint by name.")),
      },
      {
        description: "The Installation of the deployer in each Environment.",
        "x-kubernetes-validations": templateRules,
      },
    ),
    rollout: optional(rolloutSchema),
  },
  "A deployer to install in every Environment.",
);
export type DeployerRegistrationSpec = Static<typeof deployerRegistrationSpecSchema>;

const environmentCountsSchema = f.object(
  {
    total: f.int32("Environments that have the deployer, or are to get it."),
    succeeded: f.int32("Those where its Installation has succeeded."),
    progressing: f.int32("Those where it is being installed or changed."),
    failed: f.int32("Those where it has failed, or cannot be installed at all."),
    deleting: f.int32("Those where it is being removed."),
  },
  "Environments by the phase of the deployer.",
);
export type EnvironmentCounts = Static<typeof environmentCountsSchema>;

const rolloutStatusSchema = f.object(
  {
    updated: f.int32("Environments whose deployer is of the present installationTemplate."),
    environments: f.list(Type.String(), "Environments that are being changed, or are to be changed next."),
    waitsFor: optional(f.text("What keeps the other Environments from being changed.")),
  },
  "How far a change has gone out.",
);
export type RolloutStatus = Static<typeof rolloutStatusSchema>;

export const deployerRegistrationStatusSchema = f.object(
  {
    observedGeneration: optional(f.int64("Generation that the status is about.")),
    environments: optional(environmentCountsSchema),
    rollout: optional(rolloutStatusSchema),
    conditions: optional(f.list(f.conditionSchema, "Conditions Ready, Reconciling and Stalled.")),
    lastError: optional(f.errorStatusSchema),
  },
  "State of the registration.",
);
export type DeployerRegistrationStatus = Static<typeof deployerRegistrationStatusSchema>;

export interface DeployerRegistration extends KubeObject {
  spec: DeployerRegistrationSpec;
  status?: DeployerRegistrationStatus;
}

function countColumn(name: string, count: keyof EnvironmentCounts): PrinterColumn {
  return { name, type: "integer", jsonPath: `.status.environments.${count}` };
}

export const deployerRegistrationKind = defineKind<DeployerRegistration>({
  kind: "DeployerRegistration",
  plural: "deployerregistrations",
  singular: "deployerregistration",
  shortNames: ["deployreg", "deployerreg", "dreg"],
  description: "A deployer that is installed in every Environment.",
  columns: [
    countColumn("Environments", "total"),
    countColumn("Succeeded", "succeeded"),
    countColumn("Progressing", "progressing"),
    countColumn("Failed", "failed"),
    { name: "Updated", type: "integer", jsonPath: ".status.rollout.updated" },
  ],
  clusterScoped: true,
  hasStatusSubresource: true,
  fields: { spec: deployerRegistrationSpecSchema, status: optional(deployerRegistrationStatusSchema) },
});
