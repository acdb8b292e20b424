import { Type, type Static } from "typebox";
import { groupName } from "../objects/api-group.ts";
import { createParser } from "../schema/parse.ts";
import { namespaceList } from "../schema/namespace-list.ts";
import * as f from "../schema/schema-fields.ts";
import { targetSelectorSchema } from "../objects/target-selector.ts";
import { configFileFields } from "./config-file.ts";
import { egressFields } from "./egress-configuration.ts";
import { helmVersions } from "../provider-configuration/helm-versions.ts";
import { healthRulesSchema, ignoreFieldsSchema } from "../provider-configuration/resource-fields.ts";
import { controllerSchema, scrutinyFields, hpaSchema, ociSchema, targetsSchema } from "./shared-sections.ts";

const { optional } = f;

/** apiVersion of the files of a deployer, such as "helm.deployer.landscaper.gardener.cloud/v1alpha1". */
export function deployerApiVersion(deployer: string, version = "v1alpha1"): string {
  return `${deployer}.deployer.${groupName}/${version}`;
}

/** How a deployer works, whatever Targets it acts for. */
export const deployerWorkFields = {
  controller: f.withDefault(controllerSchema, {}),
  targets: f.withDefault(targetsSchema, {}),
  targetWait: f.withDefault(
    f.duration("How long a job waits for the Secret that its Target names, and for the key in it, before it fails."),
    "30s",
  ),
  ...scrutinyFields,
  ...egressFields,
};

const namespacesField = namespaceList("Namespaces of the landscaper cluster with the DeployItems; all by default.");

/** What every deployer's configuration file has (deployers.md §2.1-§2.4). */
export const sharedDeployerFields = {
  identity: optional(f.text("Name of this instance; made up when absent.")),
  namespaces: optional(namespacesField),
  targetSelector: optional(f.list(targetSelectorSchema, "Targets that this instance acts for; all when empty.")),
  hpa: f.withoutEffect(f.withDefault(hpaSchema, {}), "replicas share the work, however many there are"),
  ...deployerWorkFields,
};

const exportSettingsSchema = f.object(
  { defaultTimeout: optional(f.withoutEffect(f.duration("Not used."), "the timeout of a deploy item counts")) },
  "Settings of exports.",
);

const renderingSchema = f.object(
  {
    threads: optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: "Charts rendered at the same time; by default the processors but one, at most 4.",
      }),
    ),
    timeoutSeconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 3600,
        description:
          "What reading and rendering the charts of one job may take together, without waiting for the target; 30 by default.",
      }),
    ),
    memoryMiB: optional(
      Type.Integer({ minimum: 64, description: "Heap of a thread that renders charts, in MiB; 512 by default." }),
    ),
  },
  "Limits of rendering.",
);

const remoteSchemasSchema = f.object(
  {
    hosts: f.withDefault(
      f.list(
        Type.String(),
        "Hosts as in egress.allow that schemas of values may be fetched from; egress applies as well. None by default.",
      ),
      [],
    ),
  },
  "Documents of other hosts that a chart's values.schema.json refers to.",
);

const allowSecretNamesSchema = Type.Boolean({
  description:
    "Whether names, namespaces and kinds of objects on targets may derive from secrets, although status, events, logs and plans show them; false by default.",
});

/** Settings of what is special to charts: of the helm deployer, and of the agent, which has one. */
export const helmDeployerFields = {
  oci: optional(ociSchema),
  registry: optional(
    f.object(
      {
        local: optional(
          f.object(
            {
              rootPath: optional(
                f.text("Folder below which components in files lie, as that of the core; without it there are none."),
              ),
            },
            "Local components.",
          ),
        ),
      },
      "Where components come from, beside registries.",
    ),
  ),
  rendering: optional(renderingSchema),
  remoteSchemas: optional(remoteSchemasSchema),
  abandonedAfter: f.withDefault(
    f.duration("Age at which the half-done operation of somebody else on a release counts as left behind."),
    "5m",
  ),
  ignoreFields: optional(ignoreFieldsSchema),
  healthRules: optional(healthRulesSchema),
  allowSecretNames: optional(allowSecretNamesSchema),
  helmVersion: f.withDefault(
    Type.Enum(helmVersions, {
      description: "Major version of Helm that new releases are made as. Existing releases keep their version.",
    }),
    "4",
  ),
};

export const helmDeployerConfigurationSchema = f.object(
  {
    ...configFileFields("Configuration", deployerApiVersion("helm")),
    ...sharedDeployerFields,
    ...helmDeployerFields,
    export: optional(exportSettingsSchema),
  },
  "Configuration of the helm deployer.",
);
export type HelmDeployerConfiguration = Static<typeof helmDeployerConfigurationSchema>;
export const parseHelmDeployerConfiguration = createParser<HelmDeployerConfiguration>(
  helmDeployerConfigurationSchema,
  "Configuration",
);

export const manifestDeployerConfigurationSchema = f.object(
  {
    apiVersion: optional(
      Type.Enum([deployerApiVersion("manifest", "v1alpha2"), deployerApiVersion("manifest")], {
        description: "Version of this format.",
      }),
    ),
    kind: optional(Type.Literal("Configuration", { description: "Kind of this file." })),
    ...sharedDeployerFields,
    ignoreFields: optional(ignoreFieldsSchema),
    healthRules: optional(healthRulesSchema),
    allowSecretNames: optional(allowSecretNamesSchema),
    export: optional(exportSettingsSchema),
  },
  "Configuration of the manifest deployer.",
);
export type ManifestDeployerConfiguration = Static<typeof manifestDeployerConfigurationSchema>;
export const parseManifestDeployerConfiguration = createParser<ManifestDeployerConfiguration>(
  manifestDeployerConfigurationSchema,
  "Configuration",
);

/** The configuration file of a deployer without settings of its own: `deployerConfigurationSchema("mock")`. */
export function deployerConfigurationSchema(deployer: string) {
  return f.object(
    { ...configFileFields("Configuration", deployerApiVersion(deployer)), ...sharedDeployerFields },
    `Configuration of the ${deployer} deployer.`,
  );
}

export const mockDeployerConfigurationSchema = deployerConfigurationSchema("mock");
export type MockDeployerConfiguration = Static<typeof mockDeployerConfigurationSchema>;
export const parseMockDeployerConfiguration = createParser<MockDeployerConfiguration>(
  mockDeployerConfigurationSchema,
  "Configuration",
);
