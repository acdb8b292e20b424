import { Type, type Static, type TSchema } from "typebox";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { createParser, withFindings } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
import { helmVersions } from "./helm-versions.ts";
import { findHelmFieldsWithoutEffect } from "./helm-without-effect.ts";
import { findReadinessWithoutEffect } from "./readiness-without-effect.ts";
import {
  driftFields,
  requireApprovalSchema,
  resourceExportSchema,
  resourceFields,
  serverSideApplySchema,
  updateStrategies,
} from "./resource-fields.ts";

const { optional } = f;

const chartSchema = Type.Object(
  {
    ref: optional(f.text("OCI reference with a tag.")),
    fromResource: optional(f.anyObject("No longer supported: a job with it fails. Use resourceRef.")),
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
  timeout: optional(
    f.withoutEffect(
      f.duration("Accepted, not used: the item's own timeout counts."),
      "the timeout of the deploy item counts",
    ),
  ),
};

const waitStrategies = ["watcher", "legacy", "hookOnly"] as const;
/** Which objects a release with `wait` waits for, as in Helm 4. Ours, not the original's. */
export type WaitStrategy = (typeof waitStrategies)[number];

const crdPolicies = ["Skip", "Create", "CreateReplace"] as const;

/** As in Flux; ours, not the original's (deployers.md §6 B15). */
const remediationFields = {
  retries: optional(
    Type.Integer({
      minimum: -1,
      description: "Attempts after one that failed; -1: until the item's time is up. Default 0.",
    }),
  ),
  remediateLastFailure: optional(
    f.flag("Undo also the last attempt. Default: for an upgrade with retries true, else false."),
  ),
};
const installRemediationSchema = Type.Object(remediationFields, {
  ...strict,
  description: "Attempts to install a release; what failed is uninstalled before the next one.",
});
const upgradeRemediationSchema = Type.Object(
  {
    ...remediationFields,
    strategy: optional(
      Type.Enum(["rollback", "uninstall"], { description: "How the last attempt is undone. Default rollback." }),
    ),
  },
  { ...strict, description: "Attempts to upgrade a release, and how the last one is undone." },
);

function runOptionsSchema<Remediation extends TSchema>(
  remediation: Remediation,
  defaultCrdPolicy: (typeof crdPolicies)[number],
) {
  const description = `What becomes of crds/: nothing (Skip), made where it is missing (Create), or also replaced (CreateReplace). Default ${defaultCrdPolicy}.`;
  return Type.Object(
    {
      atomic: optional(f.flag("Undo a failed run.")),
      force: optional(f.flag("Replace objects that cannot be changed.")),
      skipSchemaValidation: optional(f.flag("Do not check values against the chart's schema.")),
      takeOwnership: optional(f.flag("Take over objects of others.")),
      crdPolicy: optional(Type.Enum(crdPolicies, { description })),
      remediation: optional(remediation),
      wait: waitFields.wait,
      waitStrategy: optional(
        Type.Enum(waitStrategies, {
          description:
            "With wait, what is waited for: the status of every object, and no longer once one has failed (watcher), the kinds that Helm 3 waits for (legacy), or hooks only (hookOnly). Default: as in the Helm version in use; legacy of 3, watcher of 4.",
        }),
      ),
      waitForJobs: optional(f.flag("With wait, wait until Jobs have completed, too.")),
      timeout: optional(
        f.duration("With remediation, how long an attempt may take; else not used: the item's own timeout counts."),
      ),
    },
    { ...strict, description: "Options of Helm." },
  );
}

const helmDeploymentConfigSchema = Type.Object(
  {
    install: optional(runOptionsSchema(installRemediationSchema, "Create")),
    upgrade: optional(runOptionsSchema(upgradeRemediationSchema, "Skip")),
    uninstall: optional(Type.Object(waitFields, { ...strict, description: "Options of Helm." })),
  },
  { ...strict, description: "Options of Helm." },
);

const valuesReferenceKinds = ["Secret", "ConfigMap", "DataObject"] as const;

/** Ours, not the original's (deployers.md §6 B20). */
const valuesReferenceSchema = Type.Object(
  {
    kind: Type.Enum(valuesReferenceKinds, { description: "Kind of the object." }),
    name: Type.String({ minLength: 1, description: "Name of the object, in the namespace of the DeployItem." }),
    key: optional(f.text("Entry of a Secret or ConfigMap. Default values.yaml.")),
    valuesKey: optional(f.text("Another word for key.")),
    targetPath: optional(
      f.text(
        "Where the content stands as one value, as in helm --set; without it the content is a YAML map of values.",
      ),
    ),
    optional: optional(f.flag("Go on without it when it is not there.")),
  },
  { ...strict, description: "Values from an object of the Landscaper cluster." },
);
export type ValuesReferenceFields = Static<typeof valuesReferenceSchema>;

const patternText = (what: string) => f.text(`${what}, a regular expression of the whole; any when absent.`);

const postRenderPatchSchema = Type.Object(
  {
    target: optional(
      Type.Object(
        {
          group: optional(patternText("API group, empty for core kinds")),
          version: optional(patternText("API version without its group")),
          kind: optional(patternText("Kind")),
          name: optional(patternText("Name")),
          namespace: optional(patternText("Namespace; that of the release where an object has none")),
          labelSelector: optional(f.text("Labels, such as app=web,tier in (a,b).")),
        },
        { ...strict, description: "Objects that are patched." },
      ),
    ),
    patch: Type.Unsafe<unknown>({
      description:
        "An object (strategic merge patch) or a list of operations (JSON patch), or YAML text of either. Without target the object names what it patches.",
    }),
  },
  { ...strict, description: "A change of objects." },
);

const postRenderImageSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: "Image without tag and digest." }),
    newName: optional(Type.String({ minLength: 1, description: "Image to use in its place." })),
    newTag: optional(Type.String({ minLength: 1, description: "Tag to use." })),
    digest: optional(Type.String({ pattern: "^[a-z0-9]+:[a-f0-9]{32,}$", description: "Digest to use." })),
  },
  { ...strict, description: "An image to replace." },
);

/** Ours, not the original's (deployers.md §6 B19). */
const postRenderSchema = Type.Object(
  {
    patches: optional(f.list(postRenderPatchSchema, "Changes, in this order.")),
    commonLabels: optional(f.mapOf(Type.String(), "Labels of all objects; selectors and pods keep theirs.")),
    commonAnnotations: optional(f.mapOf(Type.String(), "Annotations of all objects.")),
    images: optional(f.list(postRenderImageSchema, "Images of containers to replace.")),
  },
  { ...strict, description: "Changes of the rendered objects and hooks before they are deployed." },
);
export type PostRenderFields = Static<typeof postRenderSchema>;

/** deployers.md §2.1 */
export const helmProviderConfigurationSchema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("helm"), { description: "Version of this configuration." }),
    kind: Type.Literal("ProviderConfiguration", { description: "Kind of this configuration." }),
    name: Type.String({ minLength: 1, description: "Name of the release." }),
    namespace: Type.String({ minLength: 1, description: "Namespace of the release." }),
    helmVersion: optional(
      Type.Enum(helmVersions, {
        description:
          "Major version of Helm that the item works as. Default: a release keeps its version; the configuration of the deployer sets the version of new releases.",
      }),
    ),
    chart: chartSchema,
    createNamespace: f.withDefault(f.flag("Make the namespace when it is not there."), false),
    values: optional(f.anyJson("Values of the chart.")),
    valuesFrom: optional(f.list(valuesReferenceSchema, "More values, merged in this order; `values` win over them.")),
    postRender: optional(postRenderSchema),
    labels: optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 100,
        description: 'Labels of the Helm release, as with helm install --labels. The value "null" removes a label.',
      }),
    ),
    helmDeployment: f.withDefault(f.flag("Make a Helm release; otherwise render and apply manifests."), true),
    helmDeploymentConfig: optional(helmDeploymentConfigSchema),
    hooks: optional(
      Type.Enum(["refuse", "run", "apply", "skip"], {
        description:
          "Hooks of a chart that makes no Helm release: refuse such a chart (default), run them as a release does, apply them like other objects, or leave them out.",
      }),
    ),
    // Without a default: for a release, an absent strategy differs from update.
    updateStrategy: optional(
      Type.Enum(updateStrategies, {
        description:
          "How existing objects are changed. Default update; a Helm release keeps the method of its previous revision.",
      }),
    ),
    serverSideApply: optional(serverSideApplySchema),
    requireApproval: optional(requireApprovalSchema),
    ...driftFields,
    exportsFromManifests: optional(f.list(resourceExportSchema, "Deprecated: exports.")),
    ...resourceFields,
  },
  "Configuration of a helm item.",
);
export type HelmProviderConfiguration = Static<typeof helmProviderConfigurationSchema>;

export const parseHelmProviderConfiguration = withFindings(
  createParser<HelmProviderConfiguration>(helmProviderConfigurationSchema, "ProviderConfiguration"),
  findHelmFieldsWithoutEffect,
  findReadinessWithoutEffect,
);
