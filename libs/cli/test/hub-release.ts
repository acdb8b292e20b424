// The record of a hub's Helm release as earlier releases of the charts have left it.
import type { ReleaseRecord, ReleaseStatus } from "@landscaper/helm-release";

export const hubTime = Date.parse("2026-01-01T00:00:00Z");

function labelsOf(chart: string): string {
  return `labels: { app.kubernetes.io/name: ${chart}, app.kubernetes.io/instance: landscaper, helm.sh/chart: ${chart}-0.1.0 }`;
}

function deployment(chart: string, name: string, pod: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ls-system, ${labelsOf(chart)} }
spec:
  replicas: 1
  selector: { matchLabels: { app.kubernetes.io/name: ${chart}, app.kubernetes.io/instance: landscaper } }
  template:
    metadata: { ${labelsOf(chart)} }
    spec: ${pod}
`;
}

const corePod = `{ imagePullSecrets: [{ name: pull }], containers: [{ name: landscaper, image: core, env: [{ name: NATS_URL, valueFrom: { secretKeyRef: { name: nats, key: url } } }] }], volumes: [{ name: config, configMap: { name: landscaper } }, { name: own, secret: { secretName: made } }, { name: more, projected: { sources: [{ secret: { name: registry } }, { configMap: { name: certificates } }] } }] }`;

const configMap = (configuration: string, chart = "landscaper"): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${chart}, namespace: ls-system, ${labelsOf(chart)} }
data: { config.yaml: ${JSON.stringify(configuration)} }
`;

const madeSecret = `apiVersion: v1
kind: Secret
metadata: { name: made, namespace: ls-system, ${labelsOf("landscaper")} }
`;

export interface HubRecordOptions {
  readonly version?: number;
  readonly status?: ReleaseStatus;
  /** Default: landscaper-stack. */
  readonly chart?: string;
  readonly hasAgent?: boolean;
  readonly hasCore?: boolean;
  /** Namespace of the programs of a container deployer. Default: there is no such deployer. */
  readonly programs?: string;
  /** config.yaml of the core. */
  readonly configuration?: string;
  readonly firstDeployed?: string;
}

export function hubRecord(options: HubRecordOptions = {}): ReleaseRecord {
  const { version = 1, status = "deployed", chart = "landscaper-stack", hasAgent = true, hasCore = true } = options;
  const { configuration = "deployerManagement: {}", firstDeployed = "2026-01-01T00:00:00Z" } = options;
  const agent = deployment("landscaper-agent", "landscaper-landscaper-agent", "{ imagePullSecrets: [{ name: pull }] }");
  const core = [deployment("landscaper", "landscaper", corePod), configMap(configuration), madeSecret];
  const programs =
    options.programs === undefined ? [] : [configMap(`namespace: ${options.programs}`, "container-deployer")];
  return {
    name: "landscaper",
    namespace: "ls-system",
    version,
    info: { first_deployed: firstDeployed, last_deployed: firstDeployed, deleted: "", description: "", status },
    chart: { metadata: { name: chart, version: "0.1.0" } },
    config: { "landscaper-agent": { agent: { name: "hub" } } },
    manifest: [...(hasCore ? core : []), ...(hasAgent ? [agent] : []), ...programs].join("---\n"),
    hooks: [],
  };
}
