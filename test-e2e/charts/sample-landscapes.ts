import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { ChartName } from "./packed-charts.ts";
import type { Values } from "./rendered-chart.ts";
import { shareOfTurn, shareSteps } from "../src/runs/turns.ts";

/** An installation as operators have it: a chart with values. */
export interface SampleInstallation {
  readonly title: string;
  readonly chart: ChartName;
  readonly values: Values;
}

const everythingOn = {
  networkPolicy: { enabled: true, metricsFrom: [{ namespaceSelector: {} }], egress: [{ ports: [{ port: 443 }] }] },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  prometheusRule: { enabled: true, runbookUrl: "https://example.com/runbooks" },
  dashboard: { enabled: true, annotations: { grafana_folder: "Landscaper" } },
};

const pods = {
  image: { repository: "registry.example.com/landscaper/service", tag: `sha256:${"0123456789abcdef".repeat(4)}` },
  imagePullSecrets: [{ name: "pull" }],
  podAnnotations: { "example.com/team": "platform" },
  podLabels: { team: "platform" },
  nodeSelector: { "kubernetes.io/arch": "amd64" },
  tolerations: [{ key: "dedicated", operator: "Exists" }],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { team: "platform" } } },
      ],
    },
  },
  priorityClassName: "system-cluster-critical",
  extraEnv: [{ name: "HTTPS_PROXY", value: "http://proxy.example.com:3128" }],
  extraVolumes: [{ name: "certificates", configMap: { name: "certificates" } }],
  extraVolumeMounts: [{ name: "certificates", mountPath: "/certificates", readOnly: true }],
};

const registries = {
  allowPlainHttp: true,
  secrets: { internal: { auths: { "registry.example.com": { auth: "dTpw" } } }, text: '{"auths":{}}' },
  secretRefs: ["pull"],
};

/** values-hardened.yaml of a chart. */
export function hardenedValues(chart: ChartName): Values {
  return chartValues(chart, "values-hardened.yaml");
}

/** Values that a chart has in a file beside values.yaml. */
export function chartValues(chart: ChartName, name: string): Values {
  const file = join(import.meta.dirname, "../../k8s/charts", chart, name);
  return parse(readFileSync(file, "utf8")) as Values; // the chart's schema checks it
}

const targetSelector = [
  { annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "=", values: ["edge"] }] },
];

/** Each has something that the others have not. */
export const sampleInstallations: readonly SampleInstallation[] = [
  ...(
    [
      "landscaper",
      "manifest-deployer",
      "helm-deployer",
      "container-deployer",
      "mock-deployer",
      "landscaper-agent",
      "landscaper-stack",
    ] as const
  ).map((chart) => ({
    title: `${chart} as it comes`,
    chart,
    values: {},
  })),
  {
    title: "a core with three replicas and everything on",
    chart: "landscaper",
    values: { replicaCount: 3, ...everythingOn, ...pods, landscaper: { registry: { oci: registries } } },
  },
  {
    title: "a core whose resources are in another cluster",
    chart: "landscaper",
    values: {
      landscaper: {
        landscaperClusterKubeconfig: { secretRef: { name: "hub", key: "config" } },
        lsDeployments: { lsController: "core" },
      },
    },
  },
  {
    title: "a core that leaves CRDs and roles alone",
    chart: "landscaper",
    values: {
      landscaper: { crdManagement: { deployCrd: false } },
      userRoles: { create: false },
      rbac: { create: false },
    },
  },
  {
    title: "a mock deployer for some namespaces",
    chart: "mock-deployer",
    values: { deployer: { namespaces: ["default", "kube-public"] } },
  },
  {
    title: "a scaled helm deployer with everything on",
    chart: "helm-deployer",
    values: {
      replicaCount: 2,
      hpa: { maxReplicas: 4 },
      ...everythingOn,
      ...pods,
      deployer: { oci: registries, targetSelector, identity: "edge", k8sClientSettings: { hostClient: { qps: 20 } } },
    },
  },
  {
    title: "a manifest deployer with an inline kubeconfig",
    chart: "manifest-deployer",
    values: {
      deployer: {
        landscaperClusterKubeconfig: { kubeconfig: "apiVersion: v1\nkind: Config\nclusters: []\n" },
        namespace: "ls",
      },
      updateStrategy: { type: "Recreate" },
      serviceAccount: { create: false, name: "deployer" },
      fullnameOverride: "edge",
    },
  },
  {
    title: "an agent with two replicas and everything on",
    chart: "landscaper-agent",
    values: {
      replicaCount: 2,
      ...everythingOn,
      ...pods,
      agent: {
        name: "edge",
        landscaperNamespace: "managed",
        leaseNamespace: "leases",
        landscaperClusterKubeconfig: { secretRef: "hub" },
        targetSelectors: targetSelector,
        oci: registries,
      },
    },
  },
  {
    title: "a stack whose agent brings the deployers",
    chart: "landscaper-stack",
    values: chartValues("landscaper-stack", "values-agent.yaml"),
  },
  {
    title: "a stack with shared values",
    chart: "landscaper-stack",
    values: {
      enabled: { mockDeployer: true },
      global: {
        landscaper: {
          image: { prefix: "registry.example.com/landscaper/", tag: "1.2.3", pullPolicy: "Always" },
          leaseNamespace: "landscaper-leases",
          egress: { profile: "hardened", clusterCIDRs: ["10.96.0.0/12"] },
          serviceMonitor: { enabled: true },
          prometheusRule: { enabled: true },
          dashboard: { enabled: true },
          networkPolicy: { enabled: true },
          nats: { secretRef: "nats" },
        },
      },
      "helm-deployer": { deployer: { egress: { profile: "default" } } },
    },
  },
];

/** Those that a run has: all, in `npm test` every third, so that three runs one after the other have had all. */
export function installationsOfRun(): readonly SampleInstallation[] {
  const { first, step } = shareOfTurn(process.env["E2E_TURN"], { step: shareSteps.installations, shift: 0 });
  return sampleInstallations.filter((_, index) => index % step === first - 1);
}
