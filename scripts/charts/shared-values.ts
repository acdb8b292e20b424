import {
  fieldsOf,
  flag,
  integer,
  kubernetes,
  list,
  object,
  text,
  texts,
  type ValueFields,
  type ValueSchema,
} from "./value-schema.ts";

/** A name of a Secret, or the name with the key. */
function secretRef(description: string, key: string): ValueSchema {
  return {
    type: ["string", "object"],
    properties: {
      name: { type: "string", minLength: 1, description: "Name of the Secret, in the namespace of the release." },
      key: { type: "string", minLength: 1, default: key, description: "Key of the Secret." },
    },
    required: ["name"],
    additionalProperties: false,
    description,
  };
}

export const landscaperClusterKubeconfig = object(
  "The landscaper cluster, if it is another one than the cluster of the release. Its RBAC has to be created there: the notes of the release say how.",
  {
    secretRef: secretRef("Secret with the kubeconfig: its name, or name and key.", "kubeconfig"),
    kubeconfig: text("The kubeconfig itself; the chart makes a Secret of it."),
  },
);

export const leaseNamespace = text(
  "Namespace of the Leases of all deployers of a landscaper cluster. It has to exist, and to be the same for all of them.",
);

export const nats = object("Where the core publishes CloudEvents; none are published without it.", {
  url: text("NATS URL, such as nats://nats.messaging:4222; several are separated by commas. Without credentials."),
  secretRef: secretRef("Secret with the whole URL, credentials included: its name, or name and key.", "url"),
});

/** Value of the charts of deployers and agents. */
export const natsWithoutEffect = object(
  "Of earlier versions. Without effect: the core publishes the events. The notes of the release say so.",
  {
    url: text("NATS URL. Without effect."),
    secretRef: secretRef("Secret with the URL. Without effect.", "url"),
  },
);

const localReferences = list(
  "Secrets to pull the image with.",
  object("Name of a Secret.", { name: text("Name.") }, { required: ["name"] }),
);

const image = object("The image of the service.", {
  repository: text("Repository; global.landscaper.image.prefix with the name of the service by default."),
  tag: text('Tag, or a digest that begins with "sha256:"; the appVersion of the chart by default.'),
  pullPolicy: text("Always, IfNotPresent, or Never; IfNotPresent by default.", {
    enum: ["", "Always", "IfNotPresent", "Never"],
  }),
});

/** `global.landscaper`: what all charts of a stack share. A value of a chart itself wins. */
export function globalValues(egress: ValueSchema): ValueSchema {
  return object("Shared by all charts of a stack; a value of a chart itself wins.", {
    image: object("Images of all services.", {
      prefix: text('Put before the name of each service, such as "registry.example.com/landscaper/".'),
      tag: text("Tag of all images; the appVersion of each chart by default."),
      pullPolicy: text("Always, IfNotPresent, or Never.", { enum: ["", "Always", "IfNotPresent", "Never"] }),
    }),
    imagePullSecrets: localReferences,
    landscaperClusterKubeconfig,
    leaseNamespace,
    nats,
    egress: { ...egress, description: "Fields of egress for the configuration of all services." },
    networkPolicy: object("Network policies of all services.", { enabled: flag("Make them.") }),
    serviceMonitor: object("ServiceMonitors of all services.", { enabled: flag("Make them.") }),
    prometheusRule: object("Alert rules of all services.", { enabled: flag("Make them.") }),
    dashboard: object("Grafana dashboards of all services.", { enabled: flag("Make them.") }),
  });
}

/** The chart of a library or of a stack may have further globals of its own. */
export function globalField(egress: ValueSchema): ValueSchema {
  return { type: "object", properties: { landscaper: globalValues(egress) }, description: "Values that charts share." };
}

/** What every service's chart has beside the section of its configuration. */
export function deploymentFields(egress: ValueSchema): ValueFields {
  const fields: ValueFields = {
    nameOverride: text("Replaces the name of the chart in names and labels."),
    fullnameOverride: text("Replaces the whole name of the objects."),
    replicaCount: integer("Number of pods; with hpa.maxReplicas above 1 the smallest number.", 1),
    image,
    imagePullSecrets: localReferences,
    serviceAccount: object("Account of the pods.", {
      create: flag("Make it."),
      name: text("Name; that of the objects by default. Without create it has to be set."),
      annotations: texts("Annotations, such as those of cloud providers."),
    }),
    rbac: object("Rights of the account.", { create: flag("Make the roles and bindings of the folder rules/.") }),
    podAnnotations: texts("Annotations of the pods."),
    podLabels: texts("Labels of the pods."),
    podSecurityContext: kubernetes(
      "Merged over the security context of the pods, which fulfils the profile restricted.",
    ),
    securityContext: kubernetes("Merged over the security context of the container."),
    resources: kubernetes("Requests and limits of the container."),
    nodeSelector: texts("Labels of the nodes for the pods."),
    tolerations: list("Tolerations of the pods.", kubernetes("A toleration.")),
    affinity: kubernetes("Affinity of the pods."),
    topologySpreadConstraints: list(
      "Replaces the spreading over zones and nodes of several replicas.",
      kubernetes("A constraint."),
    ),
    priorityClassName: text("PriorityClass of the pods."),
    updateStrategy: object("How pods are replaced. Leases make both safe.", {
      type: text("RollingUpdate, or Recreate for an update from a version without Leases.", {
        enum: ["RollingUpdate", "Recreate"],
      }),
    }),
    terminationGracePeriodSeconds: integer("Time for a graceful end; a service needs up to 20 seconds.", 1),
    hpa: object("HorizontalPodAutoscaler, if maxReplicas is above 1.", {
      maxReplicas: integer("Largest number of pods.", 1),
      averageCpuUtilization: integer("Target of processor time, in percent of the request.", 1),
      averageMemoryUtilization: integer("Target of memory, in percent of the request.", 1),
    }),
    podDisruptionBudget: object("PodDisruptionBudget, if there is more than one replica.", {
      maxUnavailable: {
        type: ["integer", "string"],
        minimum: 0,
        description: "Pods that may be evicted at a time, or a percentage.",
      },
    }),
    tmpSizeLimit: text(
      "Largest size of /tmp, the only folder that is written to: caches of charts, components and blueprints.",
    ),
    extraEnv: list("Further environment of the container, such as HTTPS_PROXY.", kubernetes("An EnvVar.")),
    extraVolumes: list(
      "Further volumes of the pods, such as certificates for oci.certificatesPath.",
      kubernetes("A Volume."),
    ),
    extraVolumeMounts: list("Where the container has them.", kubernetes("A VolumeMount.")),
    networkPolicy: object("NetworkPolicy of the pods.", {
      enabled: flag("Make it: only metrics and probes can be reached."),
      metricsFrom: list("Who may read metrics; everyone if empty.", kubernetes("A NetworkPolicyPeer.")),
      egress: list(
        "Where connections may go, beside DNS; everywhere if empty. The API servers, targets and registries have to be among them.",
        kubernetes("A NetworkPolicyEgressRule."),
      ),
    }),
    serviceMonitor: object("ServiceMonitor of the Prometheus operator.", {
      enabled: flag("Make it."),
      interval: text("Time between two scrapes."),
      labels: texts("Labels by which a Prometheus selects it."),
    }),
    prometheusRule: object("Alert rules for the Prometheus operator.", {
      enabled: flag("Make them. They need the labels namespace and job of the ServiceMonitor."),
      labels: texts("Labels by which a Prometheus selects them."),
      disabled: list("Names of alerts that are left out.", { type: "string" }),
      runbookUrl: text("Page with the headings of the alerts; the name of the alert, in lower case, is its anchor."),
    }),
    dashboard: object("ConfigMap with a dashboard for Grafana's sidecar.", {
      enabled: flag("Make it."),
      labels: texts("Labels by which the sidecar selects it."),
      annotations: texts("Annotations, such as the folder."),
    }),
  };
  return { ...fields, global: globalField(egress) };
}

/** What values.yaml sets; the rest is unset, or has the defaults of the service. */
export const deploymentDefaults = {
  nameOverride: "",
  fullnameOverride: "",
  replicaCount: 1,
  image: { repository: "", tag: "", pullPolicy: "" },
  imagePullSecrets: [],
  serviceAccount: { create: true, name: "", annotations: {} },
  rbac: { create: true },
  podAnnotations: {},
  podLabels: {},
  podSecurityContext: {},
  securityContext: {},
  nodeSelector: {},
  tolerations: [],
  affinity: {},
  topologySpreadConstraints: [],
  priorityClassName: "",
  updateStrategy: { type: "RollingUpdate" },
  terminationGracePeriodSeconds: 30,
  hpa: { maxReplicas: 1, averageCpuUtilization: 80, averageMemoryUtilization: 80 },
  podDisruptionBudget: { maxUnavailable: 1 },
  tmpSizeLimit: "2Gi",
  extraEnv: [],
  extraVolumes: [],
  extraVolumeMounts: [],
  networkPolicy: { enabled: false, metricsFrom: [], egress: [] },
  serviceMonitor: { enabled: false, interval: "30s", labels: {} },
  prometheusRule: {
    enabled: false,
    labels: {},
    disabled: [],
    runbookUrl: "",
  },
  dashboard: { enabled: false, labels: { grafana_dashboard: "1" }, annotations: {} },
};

/** `egress` of a service's configuration. */
export function egressOf(fields: ValueFields): ValueSchema {
  const { egress } = fields;
  if (egress === undefined || fieldsOf(egress) === undefined) throw new Error("the configuration has no egress");
  return egress;
}
