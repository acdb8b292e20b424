import { Type, type Static } from "typebox";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { blueprintReferenceSchema, componentDescriptorReferenceSchema } from "../kinds/blueprint-reference.ts";
import { describeEffect } from "../ignored-fields.ts";
import { createParser } from "../parse.ts";
import * as f from "../schema-fields.ts";
import { continuousReconcileSchema } from "./resource-fields.ts";

const { optional } = f;

/** deployers.md §2.3 */
export const containerProviderConfigurationSchema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("container"), { description: "Version of this configuration." }),
    kind: Type.Literal("ProviderConfiguration", { description: "Kind of this configuration." }),
    image: optional(f.text("Image to run; the deployer's default when absent.")),
    command: optional(f.list(Type.String(), "Command.")),
    args: optional(f.list(Type.String(), "Arguments.")),
    importValues: optional(f.anyJson("Written to the file that IMPORTS_PATH names.")),
    blueprint: optional(blueprintReferenceSchema),
    componentDescriptor: optional(componentDescriptorReferenceSchema),
    registryPullSecrets: optional(
      f.list(
        f.object({ name: f.text("Name."), namespace: f.text("Namespace.") }, "A Secret of the Landscaper cluster."),
        "Credentials of registries.",
      ),
    ),
    continuousReconcile: optional(continuousReconcileSchema),
  },
  describeEffect("Configuration of a container item.", "Landscaper has no container deployer"),
);
export type ContainerProviderConfiguration = Static<typeof containerProviderConfigurationSchema>;

export const parseContainerProviderConfiguration = createParser<ContainerProviderConfiguration>(
  containerProviderConfigurationSchema,
  "ProviderConfiguration",
);

const containerStatusSchema = f.object(
  {
    message: optional(f.text("For people.")),
    reason: optional(f.text("One word for machines.")),
    state: optional(f.anyObject("State of the container.")),
    image: optional(f.text("Image.")),
    imageID: optional(f.text("Image with digest.")),
    exitCode: optional(f.int32("Exit code.")),
  },
  "A container.",
);

export const containerProviderStatusSchema = f.object(
  {
    apiVersion: optional(f.text("Version of this format.")),
    kind: optional(f.text("ProviderStatus")),
    lastOperation: optional(f.text("RECONCILE or DELETE.")),
    podStatus: optional(
      f.object(
        {
          podName: f.text("Name of the Pod."),
          lastRun: optional(f.time("When it ran last.")),
          lastSuccessfulJobID: optional(f.text("Job that it last ran for with success.")),
          containerStatus: optional(containerStatusSchema),
          initContainerStatus: optional(containerStatusSchema),
          waitContainerStatus: optional(containerStatusSchema),
        },
        "The last Pod.",
      ),
    ),
  },
  "Status of a container item.",
);
export type ContainerProviderStatus = Static<typeof containerProviderStatusSchema>;
