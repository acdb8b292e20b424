import { Type, type Static } from "typebox";
import type { ValidationRule } from "../foreign-kinds.ts";
import { defineKind } from "../kind-definition.ts";
import type { KubeObject } from "../kube-object.ts";
import * as f from "../schema-fields.ts";
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
  withoutEffect: "Landscaper does not install deployers",
  columns: [],
  clusterScoped: true,
  hasStatusSubresource: true,
  fields: { spec: deployerRegistrationSpecSchema, status: optional(deployerRegistrationStatusSchema) },
});
