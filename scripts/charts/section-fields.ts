import {
  flag,
  integer,
  isSchema,
  list,
  object,
  text,
  fieldsOf,
  type ValueFields,
  type ValueSchema,
} from "./value-schema.ts";
import { landscaperClusterKubeconfig, leaseNamespace } from "./shared-values.ts";

const verbosityLevel: ValueSchema = {
  type: ["string", "integer"],
  pattern: "^(debug|info|warn|error|silent|[0-9]+)$",
  description:
    "How much the log says: debug, info, warn, error, silent, or a number as in the original: above 1 is debug.",
};

const leaseDuration = text("How long Leases last: whole seconds, at least 3s.", { pattern: "^([3-9]|[1-9][0-9]+)s$" });

function clientSettings(description: string): ValueSchema {
  return object(description, { burst: integer("Requests at once.", 1), qps: integer("Requests in a second.", 1) });
}

const k8sClientSettings = object(
  "Of the original's charts. Without effect: at most 64 requests are in flight, and the API server shares its time fairly. The notes of the release say so.",
  {
    hostClient: clientSettings("Cluster of the release; LS_HOST_CLIENT_BURST and LS_HOST_CLIENT_QPS."),
    resourceClient: clientSettings("Landscaper cluster; LS_RESOURCE_CLIENT_BURST and LS_RESOURCE_CLIENT_QPS."),
  },
);

/** Credentials of registries: the chart mounts them, and names them in `configFiles`. */
const registrySecrets: ValueFields = {
  secrets: {
    type: "object",
    additionalProperties: { type: ["object", "string"] },
    description: "Docker configurations (with auths) by names of your own; the chart makes a Secret of them.",
  },
  secretRefs: list("Names of Secrets of type kubernetes.io/dockerconfigjson in the namespace of the release.", {
    type: "string",
    minLength: 1,
  }),
};

/** The `oci` at a path of the fields gets the credentials. */
export function withRegistrySecrets(fields: ValueFields, path: readonly string[]): ValueFields {
  const [name = "", ...rest] = path;
  const field = fields[name];
  const inner = field === undefined ? undefined : fieldsOf(field);
  if (field === undefined || inner === undefined) throw new Error(`the configuration has no ${name}`);
  const properties = rest.length === 0 ? { ...registrySecrets, ...inner } : withRegistrySecrets(inner, rest);
  return { ...fields, [name]: { ...field, properties } };
}

/** Of a deployer that makes pods the namespace of these. */
function namespaceOf({ namespace }: ValueFields): ValueSchema {
  if (namespace !== undefined)
    return text(
      "Namespace of the pods that run programs. By default, the chart creates RELEASE-NAMESPACE-programs; an existing release keeps its namespace. Another one has to exist.",
    );
  return text(
    "Of the original's charts. Without effect: the deployer makes no pods of its own. The notes of the release say so.",
  );
}

/** Settings of a deployer's chart beside its configuration file. */
export function deployerSettings(configuration: ValueFields): ValueFields {
  const { identity, ...rest } = configuration;
  const names = text("Name of this instance in the status of items; NAMESPACE.NAME of the Deployment by default.");
  return {
    landscaperClusterKubeconfig,
    identity: { ...(isSchema(identity) ? identity : {}), ...names },
    verbosityLevel,
    leaseNamespace,
    leaseDuration,
    ...rest,
    namespace: namespaceOf(configuration),
    k8sClientSettings,
  };
}

/** The same for the agent. */
export function agentSettings({ name, namespace, landscaperNamespace, ...rest }: ValueFields): ValueFields {
  return {
    landscaperClusterKubeconfig,
    name: { ...name, ...text("Name of the Environment, a DNS label; that of the release by default.") },
    namespace: {
      ...namespace,
      ...text(
        "Namespace for deployers and the agent's own objects; by default the namespace of the agent. Another one has to exist.",
      ),
    },
    landscaperNamespace: {
      ...landscaperNamespace,
      ...text(
        "Namespace of the landscaper cluster with the Target of the host, which is that of deployer management (deployerManagement.namespace of the core).",
      ),
    },
    inLandscaperNamespace: flag(
      "Place the agent and its account in landscaperNamespace of the cluster of the release, instead of the namespace of the release. The stack sets it. The agent of an existing release stays where it is.",
    ),
    leaseNamespace,
    verbosityLevel,
    leaseDuration: text(
      "How long the Lease lasts, its heartbeat being a fifth of that: whole seconds, at least 3s; 300s by default.",
      {
        pattern: "^([3-9]|[1-9][0-9]+)s$",
      },
    ),
    ...rest,
  };
}

/** The same for the core. */
export function coreSettings(configuration: ValueFields): ValueFields {
  return { landscaperClusterKubeconfig, verbosityLevel, leaseDuration, ...configuration, k8sClientSettings };
}
