import { Type, type Static } from "typebox";
import { createParser, type Parser } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
import { embeddedAgentSchema } from "./agent-configuration.ts";
import { deletionProtections } from "../objects/removal-protection.ts";
import { configFileFields } from "./config-file.ts";
import { egressFields } from "./egress-configuration.ts";
import { controllersSchema } from "./landscaper-controllers.ts";
import { scrutinyFields, foreignRequestsSchema, hpaSchema, ociSchema } from "./shared-sections.ts";

const { optional } = f;

const registrySchema = f.object(
  {
    local: optional(
      f.object(
        { rootPath: optional(f.text("Folder below which repositories in files lie; without it there are none.")) },
        "Local components.",
      ),
    ),
    oci: optional(ociSchema),
  },
  "Where components come from.",
);

const byDigest = "archives are kept by their digest, and those that were used last stay";

const blueprintStoreSchema = f.object(
  {
    path: optional(f.text("Folder; blueprints in the temporary folder by default.")),
    disableCache: f.withDefault(f.flag("Fetch every time."), false),
    indexMethod: f.withoutEffect(
      Type.Enum(["BlueprintDigestIndex", "ComponentDescriptorIdentityMethod"], {
        default: "BlueprintDigestIndex",
        description: "What identifies a blueprint.",
      }),
      byDigest,
    ),
    size: Type.Union([Type.String(), Type.Number()], {
      default: "250Mi",
      description: "Size of the store, a Kubernetes quantity.",
    }),
    gcHighThreshold: f.withoutEffect(
      Type.Number({ minimum: 0, maximum: 1, default: 0.85, description: "Fill level that starts cleaning." }),
      byDigest,
    ),
    gcLowThreshold: f.withoutEffect(
      Type.Number({ minimum: 0, maximum: 1, default: 0.8, description: "Fill level that ends it." }),
      byDigest,
    ),
    resetInterval: f.withoutEffect(
      f.withDefault(f.duration("Time after which use counts start again."), "1h"),
      byDigest,
    ),
    preservedHitsProportion: f.withoutEffect(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Part of the use count that is kept then.",
      }),
      byDigest,
    ),
  },
  "Store of fetched blueprints.",
);

const deploymentsSchema = f.object(
  {
    lsController: optional(f.text("Deployment of the central controller.")),
    lsMainController: optional(f.text("Deployment of the main controller.")),
    webHook: optional(f.text("Deployment of the webhook server.")),
    deploymentsNamespace: optional(f.text("Namespace of the Deployments.")),
    lsHealthCheckName: optional(f.text("Name of the LsHealthCheck.")),
    additionalDeployments: optional(
      f.object({ deployments: optional(f.list(Type.String(), "Deployments.")) }, "Other Deployments to look at."),
    ),
  },
  "Deployments that the health check looks at.",
);

const deployerManagementSchema = f.object(
  {
    disable: f.withDefault(f.flag("Do not manage deployers; implies the same for the agent."), false),
    namespace: f.withDefault(
      f.text("Namespace of the deployers' Installations, Targets and accounts. It has to exist."),
      "ls-system",
    ),
    leaseNamespace: f.withDefault(
      f.text("Namespace of the Leases of all deployers, in which their accounts get rights. It has to exist."),
      "ls-system",
    ),
    hubEnvironments: f.withDefault(
      f.list(
        Type.String({ pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 56 }),
        'Environments whose agents may create their Environment, and set its namespaces to ["*"] (all) and any target selectors. List only Environments whose agents the operator of the core installs.',
      ),
      [],
    ),
    agent: f.withoutEffect(
      f.withDefault(embeddedAgentSchema, {}),
      "the agent is a process of its own: enabled.landscaperAgent of the chart landscaper-stack starts it, and its settings are landscaper-agent.agent",
    ),
    deployers: f.withDefault(
      f.mapOf(
        f.anyObject("Values of the chart of the deployer, or a whole DeployerRegistration."),
        "Deployers that the core registers, by the names of their registrations: manifest, helm, container and mock are ours.",
      ),
      {},
    ),
    deployerRepositoryContext: optional(
      f.anyObject("OCM repository of our deployers. Default: that of the Context default."),
    ),
  },
  "Deployer lifecycle management.",
);

const renderingSchema = f.object(
  {
    threads: optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: "Jobs rendered at the same time; by default the processors but one, at least one.",
      }),
    ),
    timeoutSeconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 3600,
        description: "Processor time that the rendering of one job may take; 30 by default.",
      }),
    ),
    memoryMiB: optional(
      Type.Integer({ minimum: 128, description: "Heap of a thread that renders, in MiB; 512 by default." }),
    ),
  },
  "Limits of everything that depends on the content of blueprints, imports and exports.",
);

export const signaturePolicies = ["Enforce", "DoNotEnforce", "Disabled"] as const;

/** Configuration file of the core (core.md §3.5, deployers.md §2.5). */
export const landscaperConfigurationSchema = f.object(
  {
    ...configFileFields("LandscaperConfiguration"),
    controllers: f.withDefault(controllersSchema, {}),
    repositoryContext: optional(f.anyObject("Deprecated: controllers.contexts.config.default.repositoryContext.")),
    registry: f.withDefault(registrySchema, {}),
    ...egressFields,
    blueprintStore: f.withDefault(blueprintStoreSchema, {}),
    metrics: optional(
      f.object({ port: Type.Integer({ minimum: 0, maximum: 65_535, default: 0, description: "Port." }) }, "Metrics."),
    ),
    crdManagement: f.withDefault(
      f.object(
        {
          deployCrd: f.withDefault(f.flag("Apply CRDs and admission policies at start."), true),
          forceUpdate: f.withDefault(f.flag("Also those that are there already."), true),
        },
        "Handling of CRDs and admission policies.",
      ),
      {},
    ),
    targets: f.withDefault(
      f.object({ requests: f.withDefault(foreignRequestsSchema, {}) }, "Clusters that templates and TargetSyncs ask."),
      {},
    ),
    deployItemTimeouts: f.withDefault(
      f.object(
        {
          pickup: f.withDefault(f.duration("Longest time until a deployer takes an item."), "5m"),
          progressing: f.withDefault(f.duration("Longest time of a deployer for an item that names none."), "10m"),
          grace: f.withDefault(f.duration("Added to it, for deployers that keep the time themselves."), "1m"),
          abort: f.withoutEffect(f.withDefault(f.duration("Not used."), "5m"), "an interrupt ends a job at once"),
        },
        "Timeouts of DeployItems.",
      ),
      {},
    ),
    deployerManagement: f.withDefault(deployerManagementSchema, {}),
    rendering: optional(renderingSchema),
    ...scrutinyFields,
    deletionProtection: Type.Enum(deletionProtections, {
      default: "on",
      description:
        "Whether Targets, Contexts, their Secrets and RoleBindings of deployers stay while DeployItems need them for their deletion. off removes the finalizers of this protection.",
    }),
    lsDeployments: optional(deploymentsSchema),
    hpaMain: f.withDefault(hpaSchema, {}),
    signatureVerificationEnforcementPolicy: Type.Enum(signaturePolicies, {
      default: "DoNotEnforce",
      description: "Whether components must be signed.",
    }),
    signatureVerification: optional(
      f.object(
        {
          secretNamespaces: optional(
            f.list(
              Type.String(),
              "Namespaces whose Secrets Contexts of all namespaces may name as keys and certificate authorities.",
            ),
          ),
        },
        "What signatures of components are verified with.",
      ),
    ),
  },
  "Configuration of the Landscaper.",
);
export type LandscaperConfiguration = Static<typeof landscaperConfigurationSchema>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function child(parent: unknown, field: string): unknown {
  return isObject(parent) ? parent[field] : undefined;
}

/** Sets `canonical` from `other` unless it is there already. */
function rename(parent: unknown, other: string, canonical: string): void {
  if (!isObject(parent) || parent[other] === undefined) return;
  parent[canonical] ??= parent[other];
  delete parent[other];
}

/** Both spellings of core.md §1.5 D20 become the canonical one. */
function unifySpelling(value: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const controllers = child(copy, "controllers");
  rename(controllers, "context", "contexts");
  rename(child(child(child(controllers, "contexts"), "config"), "default"), "excludeNamespaces", "excludedNamespaces");
  return copy;
}

const parseFields = createParser<LandscaperConfiguration>(landscaperConfigurationSchema, "LandscaperConfiguration");

function parse(value: unknown, where: string): LandscaperConfiguration {
  const { repositoryContext, ...configuration } = parseFields(unifySpelling(value), where);
  if (repositoryContext !== undefined) {
    configuration.controllers.contexts.config.default.repositoryContext ??= repositoryContext;
  }
  return configuration;
}

/** All defaults filled in, the deprecated `repositoryContext` moved to where it is read. */
export const parseLandscaperConfiguration: Parser<LandscaperConfiguration> = Object.assign(parse, {
  findIgnored: (value: unknown) => parseFields.findIgnored(unifySpelling(value)),
});
