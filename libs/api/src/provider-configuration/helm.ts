import { Type, type Static } from "typebox";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { componentDescriptorReferenceSchema } from "../kinds/blueprint-reference.ts";
import { createParser } from "../parse.ts";
import * as f from "../schema-fields.ts";
import { resourceExportSchema, resourceFields, updateStrategySchema } from "./resource-fields.ts";

const { optional } = f;

const chartSchema = Type.Object(
  {
    ref: optional(f.text("OCI reference with a tag.")),
    fromResource: optional(
      f.object(
        { ...componentDescriptorReferenceSchema.properties, resourceName: f.text("Name of the resource.") },
        "No longer supported.",
      ),
    ),
    archive: optional(
      f.object(
        {
          raw: optional(Type.String({ description: "Chart archive, base64." })),
          remote: optional(f.object({ url: f.text("URL of the archive.") }, "Archive to fetch.")),
        },
        "Chart archive.",
      ),
    ),
    helmChartRepo: optional(
      f.object(
        {
          helmChartRepoUrl: f.text("URL of the repository."),
          helmChartName: f.text("Name of the chart."),
          helmChartVersion: f.text("Version of the chart."),
        },
        "Chart of a Helm repository.",
      ),
    ),
    resourceRef: optional(f.text("Key of an OCM resource, from the template function getResourceKey.")),
  },
  { minProperties: 1, description: "Where the chart comes from." },
);
export type ChartSource = Static<typeof chartSchema>;

/** The original refuses unknown keys here, and so do we (deployers.md §1.3 "helmDeploymentConfig"). */
const strict = { additionalProperties: false } as const;

const waitFields = {
  wait: optional(f.flag("Wait until all is ready.")),
  timeout: optional(f.duration("Accepted, not used: the item's own timeout counts.")),
};

const crdPolicies = ["Skip", "Create", "CreateReplace"] as const;

function runOptionsSchema(defaultCrdPolicy: (typeof crdPolicies)[number]) {
  const description = `What becomes of crds/: nothing (Skip), made where it is missing (Create), or also replaced (CreateReplace). Default ${defaultCrdPolicy}.`;
  return Type.Object(
    {
      atomic: optional(f.flag("Undo a failed run.")),
      force: optional(f.flag("Replace objects that cannot be changed.")),
      skipSchemaValidation: optional(f.flag("Do not check values against the chart's schema.")),
      takeOwnership: optional(f.flag("Take over objects of others.")),
      crdPolicy: optional(Type.Enum(crdPolicies, { description })),
      ...waitFields,
    },
    { ...strict, description: "Options of Helm." },
  );
}

const helmDeploymentConfigSchema = Type.Object(
  {
    install: optional(runOptionsSchema("Create")),
    upgrade: optional(runOptionsSchema("Skip")),
    uninstall: optional(Type.Object(waitFields, { ...strict, description: "Options of Helm." })),
  },
  { ...strict, description: "Options of Helm." },
);

/** deployers.md §2.1 */
export const helmProviderConfigurationSchema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("helm"), { description: "Version of this configuration." }),
    kind: Type.Literal("ProviderConfiguration", { description: "Kind of this configuration." }),
    name: Type.String({ minLength: 1, description: "Name of the release." }),
    namespace: Type.String({ minLength: 1, description: "Namespace of the release." }),
    chart: chartSchema,
    createNamespace: f.withDefault(f.flag("Make the namespace when it is not there."), false),
    values: optional(f.anyJson("Values of the chart.")),
    helmDeployment: f.withDefault(f.flag("Make a Helm release; otherwise render and apply manifests."), true),
    helmDeploymentConfig: optional(helmDeploymentConfigSchema),
    hooks: optional(
      Type.Enum(["refuse", "apply", "skip"], {
        description:
          "Without a Helm release nobody runs hooks: refuse such a chart (default), apply them like other objects, or leave them out.",
      }),
    ),
    updateStrategy: updateStrategySchema,
    exportsFromManifests: optional(f.list(resourceExportSchema, "Deprecated: exports.")),
    ...resourceFields,
  },
  "Configuration of a helm item.",
);
export type HelmProviderConfiguration = Static<typeof helmProviderConfigurationSchema>;

export const parseHelmProviderConfiguration = createParser<HelmProviderConfiguration>(
  helmProviderConfigurationSchema,
  "ProviderConfiguration",
);
