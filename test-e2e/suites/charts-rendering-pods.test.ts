// The pods of the charts: whole, how many there are, and what they take from the values that charts of a stack share.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { productVersion } from "@landscaper/api";
import { allCharts, type ChartName, type PackedCharts, packCharts } from "../charts/packed-charts.ts";
import {
  configurationOf,
  openChart,
  type RenderableChart,
  type Rendering,
  type Values,
} from "../charts/rendered-chart.ts";

let charts: PackedCharts;
const opened = new Map<ChartName, RenderableChart>();
beforeAll(async () => {
  charts = packCharts();
  for (const chart of allCharts) opened.set(chart, await openChart(charts.path(chart)));
});
afterAll(() => charts.dispose());

function render(chart: ChartName, values: Values = {}): Rendering {
  const found = opened.get(chart);
  if (found === undefined) throw new Error(`${chart} is not packed`);
  return found.render(values);
}

interface Container {
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly args: readonly string[];
  readonly env: readonly object[];
  readonly volumeMounts: readonly object[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
  readonly topologySpreadConstraints?: readonly object[];
}

interface DeploymentSpec {
  readonly replicas?: number;
  readonly strategy: object;
  readonly template: { readonly spec: PodSpec };
}

function specOf(rendering: Rendering, name?: string): DeploymentSpec {
  return rendering.find("Deployment", name)["spec"] as DeploymentSpec; // the API server checks it
}

const containerOf = (rendering: Rendering, name?: string): Container =>
  specOf(rendering, name).template.spec.containers[0];
const probe = (path: string): object => ({ httpGet: { path, port: "http-metrics" }, timeoutSeconds: 5 });

describe("a pod", () => {
  it("of a deployer as it comes is small, has no rights on its node, and writes to /tmp alone", () => {
    expect(specOf(render("manifest-deployer")).template.spec).toEqual({
      serviceAccountName: "ls-manifest-deployer",
      automountServiceAccountToken: true,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: "RuntimeDefault" },
      },
      terminationGracePeriodSeconds: 30,
      containers: [
        {
          name: "manifest-deployer",
          image: `landscaper/manifest-deployer:${productVersion}`,
          imagePullPolicy: "IfNotPresent",
          args: [
            "--config=/app/ls/config/config.yaml",
            "--lease-namespace=ls-system",
            "--lease-duration=15s",
            "--verbosity=info",
          ],
          env: [
            { name: "MY_POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "MY_POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
          ],
          ports: [{ name: "http-metrics", containerPort: 8080, protocol: "TCP" }],
          startupProbe: { ...probe("/healthz"), periodSeconds: 2, failureThreshold: 150 },
          livenessProbe: { ...probe("/healthz"), periodSeconds: 15, failureThreshold: 4 },
          readinessProbe: { ...probe("/readyz"), periodSeconds: 5 },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
          resources: { requests: { cpu: "100m", memory: "192Mi" }, limits: { memory: "768Mi" } },
          volumeMounts: [
            { name: "config", mountPath: "/app/ls/config", readOnly: true },
            { name: "tmp", mountPath: "/tmp" },
          ],
        },
      ],
      volumes: [
        { name: "config", configMap: { name: "ls-manifest-deployer" } },
        { name: "tmp", emptyDir: { sizeLimit: "2Gi" } },
      ],
    });
  });

  it("finds kubeconfig and registries in Secrets that users or the chart have made", () => {
    const deployer = {
      landscaperClusterKubeconfig: { secretRef: { name: "hub", key: "config" } },
      oci: { secrets: { internal: { auths: {} } }, secretRefs: ["pull"], configFiles: ["/extra/config.json"] },
      k8sClientSettings: { hostClient: { burst: 30 }, resourceClient: { qps: 40 } },
    };
    const rendering = render("helm-deployer", { deployer });
    const { containers, volumes } = specOf(rendering).template.spec;
    expect(volumes.slice(2)).toEqual([
      {
        name: "landscaper-cluster-kubeconfig",
        secret: { secretName: "hub", defaultMode: 0o440, items: [{ key: "config", path: "kubeconfig" }] },
      },
      {
        name: "registry-secrets",
        projected: {
          defaultMode: 0o440,
          sources: [
            { secret: { name: "ls-helm-deployer-registries" } },
            { secret: { name: "pull", items: [{ key: ".dockerconfigjson", path: "refs/pull" }] } },
          ],
        },
      },
    ]);
    expect(containers[0].volumeMounts.slice(2)).toEqual([
      {
        name: "landscaper-cluster-kubeconfig",
        mountPath: "/app/ls/landscaper-cluster-kubeconfig",
        readOnly: true,
      },
      { name: "registry-secrets", mountPath: "/app/ls/registry/secrets", readOnly: true },
    ]);
    expect(containers[0].env.slice(2)).toEqual([
      { name: "LS_HOST_CLIENT_BURST", value: "30" },
      { name: "LS_RESOURCE_CLIENT_QPS", value: "40" },
    ]);
    expect(configurationOf(rendering)).toMatchObject({
      oci: {
        configFiles: ["/app/ls/registry/secrets/internal", "/app/ls/registry/secrets/refs/pull", "/extra/config.json"],
      },
    });
  });
});

describe("the number of pods", () => {
  const kindsOf = ({ objects }: Rendering): string[] =>
    objects.map(({ kind }) => kind).filter((kind) => /Budget|Autoscaler/.test(kind));

  it.each<[string, Values, readonly string[], number | undefined, boolean]>([
    ["one", {}, [], 1, false],
    ["three", { replicaCount: 3 }, ["PodDisruptionBudget"], 3, true],
    ["one to four", { hpa: { maxReplicas: 4 } }, ["HorizontalPodAutoscaler"], undefined, false],
    [
      "two to four",
      { replicaCount: 2, hpa: { maxReplicas: 4 } },
      ["PodDisruptionBudget", "HorizontalPodAutoscaler"],
      undefined,
      true,
    ],
  ])("%s", (_, values, ...[kinds, replicas, isSpread]) => {
    for (const chart of ["landscaper", "helm-deployer"] as const) {
      const rendering = render(chart, values);
      const { replicas: written, strategy, template } = specOf(rendering);
      expect(kindsOf(rendering)).toEqual(kinds);
      expect(written).toBe(replicas);
      expect(template.spec.topologySpreadConstraints?.length).toBe(isSpread ? 2 : undefined);
      expect(strategy).toEqual({ type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    }
  });

  it("scales between replicaCount and hpa.maxReplicas by processor time and memory", () => {
    const hpa = { maxReplicas: 4, averageCpuUtilization: 70 };
    expect(render("helm-deployer", { replicaCount: 2, hpa }).find("HorizontalPodAutoscaler")["spec"]).toEqual({
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "ls-helm-deployer" },
      minReplicas: 2,
      maxReplicas: 4,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
        { type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization: 80 } } },
      ],
    });
  });
});

describe("shared values of a stack", () => {
  const global = {
    landscaper: {
      image: { prefix: "registry.example.com/ls/", tag: "1.2.3", pullPolicy: "Always" },
      nats: { url: "nats://shared:4222" },
      egress: { profile: "hardened", clusterCIDRs: ["10.96.0.0/12"] },
      leaseNamespace: "leases",
      landscaperClusterKubeconfig: { secretRef: "hub" },
    },
  };

  it("are those of each service", () => {
    const rendering = render("landscaper-stack", { global });
    for (const name of ["landscaper", "manifest-deployer", "helm-deployer"]) {
      const service = name === "landscaper" ? "landscaper-core" : name;
      const { image, imagePullPolicy, args, env } = containerOf(rendering, `ls-${name}`);
      expect({ image, imagePullPolicy }).toEqual({
        image: `registry.example.com/ls/${service}:1.2.3`,
        imagePullPolicy: "Always",
      });
      expect(args).toContain("--landscaper-kubeconfig=/app/ls/landscaper-cluster-kubeconfig/kubeconfig");
      expect(args.includes("--lease-namespace=leases")).toBe(name !== "landscaper");
      const urls = env.filter((variable) => JSON.stringify(variable).includes("NATS_URL"));
      expect(urls).toEqual(name === "landscaper" ? [{ name: "NATS_URL", value: "nats://shared:4222" }] : []);
      expect(configurationOf(rendering, `ls-${name}`)).toMatchObject({ egress: global.landscaper.egress });
    }
  });

  it("give way to the values of a service", () => {
    const own = {
      image: { repository: "other/helm", tag: "sha256:abc", pullPolicy: "Never" },
      deployer: {
        egress: { profile: "default" },
        leaseNamespace: "other",
        landscaperClusterKubeconfig: { secretRef: "own-hub" },
      },
    };
    const nats = { secretRef: { name: "own", key: "nats" } };
    const rendering = render("landscaper-stack", { global, "helm-deployer": own, landscaper: { nats } });
    const { image, imagePullPolicy, args } = containerOf(rendering, "ls-helm-deployer");
    const { env } = containerOf(rendering, "ls-landscaper");
    expect({ image, imagePullPolicy }).toEqual({ image: "other/helm@sha256:abc", imagePullPolicy: "Never" });
    expect(args).toContain("--lease-namespace=other");
    expect(env).toContainEqual({ name: "NATS_URL", valueFrom: { secretKeyRef: { name: "own", key: "nats" } } });
    expect(JSON.stringify(specOf(rendering, "ls-helm-deployer"))).toContain('"secretName":"own-hub"');
    const { egress } = configurationOf(rendering, "ls-helm-deployer") as { egress: object };
    expect(egress).toEqual({ profile: "default", clusterCIDRs: ["10.96.0.0/12"] });
  });
});
