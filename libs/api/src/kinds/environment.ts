import { Type, type Static } from "typebox";
import type { ValidationRule } from "../objects/foreign-kinds.ts";
import { column, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { everyNamespace, namespaceListOrAll } from "../schema/namespace-list.ts";
import * as f from "../schema/schema-fields.ts";
import { targetSelectorSchema } from "../objects/target-selector.ts";
import { targetTemplateSchema } from "./target.ts";

const { optional } = f;

/** Matches proxy URLs without credentials: every reader of Environments sees the field. */
const proxyPattern = "^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$";

export const clusterConfigSchema = f.object(
  {
    host: f.text("URL of the API server."),
    apiPath: f.text("Path below the host."),
    insecure: optional(f.flag("Do not check the server's certificate.")),
    serverName: optional(f.text("Name in the server's certificate.")),
    caData: optional(f.text("Certificate authority, PEM in base64; may be empty.")),
    proxyURL: optional(
      Type.String({
        pattern: proxyPattern,
        description:
          "Proxy for connections to the API server: http://HOST:PORT or https://HOST:PORT, without a user and a password.",
      }),
    ),
    nextProtos: optional(
      f.withoutEffect(f.list(Type.String(), "Protocols for TLS."), "a kubeconfig has no field for them"),
    ),
  },
  "How deployers of the environment reach the Landscaper cluster.",
);

/** No webhook ever checked this kind, so no label exempts from the rule. */
const hostTargetRule: ValidationRule = {
  rule: "!has(self.config) || !has(self.secretRef)",
  message: "spec.hostTarget: only one of config and secretRef may be set",
};

/** Its config is an object here: CEL cannot ask for a field of which the schema says nothing. */
const hostTargetSchema = Type.Object(
  { ...targetTemplateSchema.properties, config: optional(f.anyObject("Access data.")) },
  { description: "The Target of the host.", "x-kubernetes-validations": [hostTargetRule] },
);

/** Of an X25519 key: all begin with the same 12 bytes, and have 32 of their own. */
const sealingKeyPattern = "^MCowBQYDK2VuAyEA[A-Za-z0-9+/]{43}=$";

export const environmentSpecSchema = f.object(
  {
    hostTarget: hostTargetSchema,
    namespace: f.text("Namespace of the host for deployers."),
    landscaperClusterConfig: clusterConfigSchema,
    targetSelectors: f.list(targetSelectorSchema, "Targets that the environment's deployers act for."),
    namespaces: optional(
      namespaceListOrAll(
        'Namespaces of the landscaper cluster in which the deployers of the Environment may read DeployItems and Secrets, and work on the DeployItems. ["*"] means all namespaces. Required in new Environments.',
      ),
    ),
    sealingKey: optional(
      Type.String({
        pattern: sealingKeyPattern,
        description:
          "Public key of the agent (X25519, SubjectPublicKeyInfo in base64). Tokens of deployers are sealed for it in Targets and DeployItems. Without it they can be read there.",
      }),
    ),
    suspend: optional(
      f.flag("Install, change and remove no deployers here. Those that are there keep working. Default: false."),
    ),
  },
  "A cluster with its own deployers.",
);
export type EnvironmentSpec = Static<typeof environmentSpecSchema>;

/** Returns the namespaces that the deployers of an Environment may read and work in; undefined: all of them. All readers must use this function to interpret the list. */
export function environmentNamespaces({
  namespaces,
}: {
  readonly namespaces?: readonly string[] | undefined;
}): readonly string[] | undefined {
  return namespaces?.length === 1 && namespaces[0] === everyNamespace ? undefined : namespaces;
}

/** Where a deployer of an Environment stands: "Failed" also when it could not be removed. */
export type DeployerPhase = "Progressing" | "Succeeded" | "Failed" | "Deleting";

/** The services alone write it: no rule of the CRD has to keep other words out. */
function phaseField(description: string) {
  return Type.Unsafe<DeployerPhase>(f.text(description));
}

const managedDeployerSchema = f.object(
  {
    name: f.text("Name of the Installation, REGISTRATION-ENVIRONMENT."),
    registration: f.text("Name of the DeployerRegistration."),
    phase: phaseField("Progressing, Succeeded, Failed or Deleting."),
    version: optional(f.text("Version of the deployer's component that the Installation names.")),
    waitsFor: optional(f.list(Type.String(), "Types of DeployItems that no deployer has picked up.")),
    message: optional(f.text("Why it is not Succeeded, as far as that is known.")),
  },
  "A deployer of the environment.",
);
export type ManagedDeployer = Static<typeof managedDeployerSchema>;

export const environmentStatusSchema = f.object(
  {
    observedGeneration: optional(f.int64("Generation that the status is about.")),
    phase: optional(
      phaseField("Succeeded when all deployers are; Failed when one is; Deleting; Progressing otherwise."),
    ),
    succeeded: optional(f.text("How many deployers have succeeded, of how many, such as 3/4.")),
    deployers: optional(f.list(managedDeployerSchema, "Deployers of the environment, by name.")),
    lastHeartbeatTime: optional(f.time("When the agent has renewed its Lease last, by its own clock.")),
    lastHeartbeatSeenTime: optional(f.time("Time at which the core saw this renewal, by the clock of the core.")),
    agentVersion: optional(f.text("Version of the agent, as it says.")),
    clusterVersion: optional(f.text("Version of the Kubernetes of the host, as the agent says.")),
    conditions: optional(
      f.list(f.conditionSchema, "Conditions Ready, Reconciling and Stalled; of an agent Reachable."),
    ),
    lastError: optional(f.errorStatusSchema),
  },
  "State of the environment.",
);
export type EnvironmentStatus = Static<typeof environmentStatusSchema>;

export interface Environment extends KubeObject {
  spec: EnvironmentSpec;
  status?: EnvironmentStatus;
}

export const environmentKind = defineKind<Environment>({
  kind: "Environment",
  plural: "environments",
  singular: "environment",
  shortNames: ["env"],
  description: "A cluster, often fenced, that runs its own deployers.",
  columns: [
    column("Phase", ".status.phase"),
    column("Deployers", ".status.succeeded"),
    { name: "Suspended", type: "boolean", jsonPath: ".spec.suspend" },
    column("Reachable", '.status.conditions[?(@.type=="Reachable")].status'),
    { name: "Heartbeat", type: "date", jsonPath: ".status.lastHeartbeatSeenTime" },
    column("Agent", ".status.agentVersion"),
    column("Kubernetes", ".status.clusterVersion"),
  ],
  clusterScoped: true,
  hasStatusSubresource: true,
  fields: { spec: environmentSpecSchema, status: optional(environmentStatusSchema) },
});
