import { Type, type Static } from "typebox";
import { podResourcesSchema } from "../configuration/container-deployer-configuration.ts";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { blueprintReferenceSchema, componentDescriptorReferenceSchema } from "../kinds/blueprint-reference.ts";
import { createParser } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
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
        f.object(
          { name: f.text("Name."), namespace: f.text("Namespace; it has to be that of the item.") },
          "A Secret of the Landscaper cluster.",
        ),
        "Credentials of registries, beside those of the Context.",
      ),
    ),
    retryPolicy: optional(
      f.object(
        {
          onPodLoss: f.withDefault(f.flag("Run again when the Pod has vanished without a result."), false),
          limit: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "How often at most in one job." }),
        },
        "When a program may run more than once in one job. Without it, it never does.",
      ),
    ),
    resources: optional(podResourcesSchema),
    continuousReconcile: optional(continuousReconcileSchema),
  },
  "Configuration of a container item.",
);
export type ContainerProviderConfiguration = Static<typeof containerProviderConfigurationSchema>;

export const parseContainerProviderConfiguration = createParser<ContainerProviderConfiguration>(
  containerProviderConfigurationSchema,
  "ProviderConfiguration",
);

const containerStatusFields = {
  message: optional(f.text("For people; values of imports, target and credentials are masked.")),
  reason: optional(f.text("One word for machines.")),
  state: optional(f.anyObject("State of the container, as the Pod has it.")),
  image: optional(f.text("Image.")),
  imageID: optional(f.text("Image with digest.")),
  exitCode: optional(f.int32("Exit code.")),
};

const containerStatusSchema = f.object(containerStatusFields, "A container.");
export type ContainerRunStatus = Static<typeof containerStatusSchema>;

const causeSchema = (description: string) =>
  f.object({ reason: f.text("One word for machines."), message: f.text("For people.") }, description);

const podStatusSchema = f.object(
  {
    podName: f.text("Name of the Pod."),
    podUID: optional(f.text("UID of the Pod, once it is recorded: the program runs no earlier.")),
    runID: optional(f.text("Job, or run between jobs, that the Pod is for.")),
    attempt: optional(f.int32("How often the program was started anew in this run because its Pod had vanished.")),
    result: optional(f.text("Succeeded or Failed, when the Pod has ended.")),
    error: optional(causeSchema("Why it has failed.")),
    failing: optional(
      f.object(
        {
          container: f.text("init, wait or main."),
          seconds: f.int32("How long it had failed to start when this was written."),
        },
        "The container that does not start.",
      ),
    ),
    givenUp: optional(causeSchema("Why the Pod is ended before its program has started.")),
    lastRun: optional(f.time("When it was started last.")),
    lastSuccessfulJobID: optional(f.text("Job that it last ran for with success.")),
    containerStatus: optional(containerStatusSchema),
    initContainerStatus: optional(containerStatusSchema),
    waitContainerStatus: optional(containerStatusSchema),
  },
  "The last Pod.",
);
export type ContainerPodStatus = Static<typeof podStatusSchema>;

export const containerProviderStatusSchema = f.object(
  {
    apiVersion: optional(f.text("Version of this format.")),
    kind: optional(f.text("ProviderStatus")),
    lastOperation: optional(f.text("RECONCILE or DELETE.")),
    ...containerStatusFields,
    podStatus: optional(podStatusSchema),
  },
  "Status of a container item. The fields beside podStatus are those of the program's container.",
);
export type ContainerProviderStatus = Static<typeof containerProviderStatusSchema>;

export const parseContainerProviderStatus = createParser<ContainerProviderStatus>(
  containerProviderStatusSchema,
  "ProviderStatus",
);
