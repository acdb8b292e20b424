import { Type, type Static } from "typebox";
import { defineKind } from "../kind-definition.ts";
import type { KubeObject } from "../kube-object.ts";
import * as f from "../schema-fields.ts";
import { blueprintReferenceSchema, componentDescriptorReferenceSchema } from "./blueprint-reference.ts";
import { installationImportsSchema } from "./data-flow.ts";

const { optional } = f;

export const deployerRegistrationSpecSchema = f.object(
  {
    types: f.list(Type.String(), "Types of DeployItems that the deployer handles."),
    installationTemplate: f.object(
      {
        componentDescriptor: optional(componentDescriptorReferenceSchema),
        blueprint: blueprintReferenceSchema,
        imports: optional(installationImportsSchema),
        importDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Import values of the blueprint by name.")),
      },
      "The Installation of the deployer in each Environment.",
    ),
  },
  "A deployer to install in every Environment.",
);
export type DeployerRegistrationSpec = Static<typeof deployerRegistrationSpecSchema>;

export const deployerRegistrationStatusSchema = f.object(
  { lastError: optional(f.errorStatusSchema) },
  "State of the registration.",
);
export type DeployerRegistrationStatus = Static<typeof deployerRegistrationStatusSchema>;

export interface DeployerRegistration extends KubeObject {
  spec: DeployerRegistrationSpec;
  status?: DeployerRegistrationStatus;
}

export const deployerRegistrationKind = defineKind<DeployerRegistration>({
  kind: "DeployerRegistration",
  plural: "deployerregistrations",
  singular: "deployerregistration",
  shortNames: ["deployreg", "deployerreg", "dreg"],
  description: "A deployer that is installed in every Environment.",
  columns: [],
  clusterScoped: true,
  hasStatusSubresource: true,
  fields: { spec: deployerRegistrationSpecSchema, status: optional(deployerRegistrationStatusSchema) },
});
