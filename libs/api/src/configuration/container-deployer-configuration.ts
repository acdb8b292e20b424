import { Type, type Static } from "typebox";
import { createParser } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
import { targetSelectorSchema } from "../objects/target-selector.ts";
import { configFileFields } from "./config-file.ts";
import { deployerApiVersion, sharedDeployerFields } from "./deployer-configuration.ts";
import { ociSchema } from "./shared-sections.ts";

const { optional } = f;

/** Documents of the original can have a text instead of a list: it is the only entry, and an empty text is an empty list. */
const wordsSchema = Type.Union([f.list(Type.String(), "Words."), Type.String({ description: "One word, or none." })], {
  description: "a list of words, or one word",
});
export type Words = Static<typeof wordsSchema>;

const pullPolicy = Type.Enum(["Always", "IfNotPresent", "Never"], { description: "When the image is pulled." });

/** An image and how to start it. */
function containerFields() {
  return {
    command: optional(wordsSchema),
    args: optional(wordsSchema),
    imagePullPolicy: optional(pullPolicy),
  };
}

/** Quantities of Kubernetes, except negative ones. */
const quantityPattern = String.raw`^\+?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$`;
const quantitySchema = Type.Union([Type.String({ pattern: quantityPattern }), Type.Number({ minimum: 0 })], {
  description: "a quantity such as 100m or 64Mi",
});

const amounts = (description: string) => f.mapOf(quantitySchema, description);

/** Kubernetes quantities by resource name. `user` is the noun of the descriptions. */
const resourcesSchema = (user: string, description: string) =>
  f.object(
    {
      requests: optional(amounts(`What the ${user} needs at least.`)),
      limits: optional(amounts(`What the ${user} may use at most.`)),
    },
    description,
  );

/** Resources of the program's container. */
export const podResourcesSchema = resourcesSchema("program", "Resources of the container of the program.");
export type PodResources = Static<typeof podResourcesSchema>;

const helperContainerSchema = f.object(
  {
    image: optional(f.text("Image; the shipped one by default.")),
    ...containerFields(),
    resources: f.withDefault(
      resourcesSchema("container", "Resources of the container. They replace the default as a whole."),
      { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } },
    ),
  },
  "A container of the deployer's own.",
);

const tolerationSchema = f.object(
  {
    key: optional(f.text("Key of the taint.")),
    operator: optional(Type.Enum(["Exists", "Equal"], { description: "Whether the value counts." })),
    value: optional(f.text("Value of the taint.")),
    effect: optional(
      Type.Enum(["NoSchedule", "PreferNoSchedule", "NoExecute"], {
        description: "Effect of the taint; all when absent.",
      }),
    ),
    tolerationSeconds: optional(f.int64("How long a taint with NoExecute is tolerated.")),
  },
  "A taint of nodes that does not keep Pods away.",
);

const { configFiles, allowPlainHttp, insecureSkipVerify, cache, certificatesPath } = ociSchema.properties;

const programOciSchema = f.object(
  {
    configFiles,
    allowPlainHttp,
    insecureSkipVerify,
    cache: optional(f.withoutEffect(cache, "each Pod fetches what it needs")),
    certificatesPath,
  },
  "Access to OCI registries, for components and blueprints of items.",
);

const className = (description: string) =>
  Type.String({ pattern: "^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$", description });

const podSettingsSchema = f.object(
  {
    resources: f.withDefault(podResourcesSchema, {}),
    labels: f.withDefault(f.mapOf(Type.String(), "Further labels of Pods."), {}),
    annotations: f.withDefault(f.mapOf(Type.String(), "Annotations of Pods."), {}),
    priorityClassName: optional(className("Priority class of Pods.")),
    runtimeClassName: optional(className("Runtime class of Pods.")),
    nodeSelector: f.withDefault(f.mapOf(Type.String(), "Labels of the nodes on which Pods run."), {}),
    tolerations: f.withDefault(f.list(tolerationSchema, "Taints of nodes that are no hindrance."), []),
    sizeLimit: f.withDefault(
      f.text("Most that the volume of imports, exports and state may hold; a Pod that writes more is evicted."),
      "1Gi",
    ),
    startGrace: f.withDefault(
      f.duration(
        "How long a container may fail to start, such as for a registry that does not answer; then the run fails. none: it fails at the first report.",
      ),
      "2m",
    ),
  },
  "What all Pods have in common. Items can say nothing of it but resources.",
);

export const containerDeployerConfigurationSchema = f.object(
  {
    ...configFileFields("Configuration", deployerApiVersion("container")),
    ...sharedDeployerFields,
    targetSelector: optional(
      // Documents of the original can have one selector instead of a list.
      Type.Union([f.list(targetSelectorSchema, "Selectors, of which one must fit."), targetSelectorSchema], {
        description: "a list of selectors of the targets that this instance acts for, or one selector",
      }),
    ),
    oci: optional(programOciSchema),
    namespace: f.withDefault(f.text("Namespace of the host for Pods."), "default"),
    defaultImage: f.withDefault(
      f.object(
        { image: f.withDefault(f.text("Image of items that name none."), "ubuntu:18.04"), ...containerFields() },
        "Default image. Its command and arguments hold for items that name no image.",
      ),
      {},
    ),
    initContainer: f.withDefault(helperContainerSchema, {}),
    waitContainer: f.withDefault(helperContainerSchema, {}),
    allowedImages: optional(
      f.list(
        Type.String(),
        "Registries and repositories that images of programs may come from, such as registry.example:5000/team: whole parts of the path count. All when absent.",
      ),
    ),
    pod: f.withDefault(podSettingsSchema, {}),
    state: f.withDefault(
      f.object(
        {
          maxSize: f.withDefault(
            f.text(
              "Most that the state of an item may hold, unpacked, as a quantity of bytes; a run that leaves more fails.",
            ),
            "64Mi",
          ),
        },
        "What programs keep from one run to the next.",
      ),
      {},
    ),
    logs: Type.Enum(["on", "off"], {
      default: "on",
      description:
        "Whether the end of the log of a program that fails stands in the status of its item, with values masked.",
    }),
    garbageCollection: f.withDefault(
      f.object(
        {
          disable: f.withDefault(f.flag("Do not clean up."), false),
          worker: f.withoutEffect(Type.Integer({ default: 5, description: "Not used." }), "one worker cleans up"),
          requeueTimeSeconds: Type.Integer({ minimum: 1, default: 3600, description: "Seconds between two runs." }),
        },
        "Cleaning up after vanished DeployItems.",
      ),
      {},
    ),
    debug: f.withDefault(
      f.object(
        {
          keepPod: f.withDefault(f.flag("Keep finished Pods until their item is gone."), false),
          keepFailedPod: f.withDefault(f.flag("Keep failed Pods until the next job of their item."), false),
        },
        "For debugging.",
      ),
      {},
    ),
  },
  "Configuration of the container deployer.",
);
export type ContainerDeployerConfiguration = Static<typeof containerDeployerConfigurationSchema>;
export const parseContainerDeployerConfiguration = createParser<ContainerDeployerConfiguration>(
  containerDeployerConfigurationSchema,
  "Configuration",
);
