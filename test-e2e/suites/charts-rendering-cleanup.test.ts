// What charts run when they are uninstalled.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseCleanupFlags } from "@landscaper/container-deployer-lib";
import { findCleanup } from "@landscaper/deployer";
import { type PackedCharts, packCharts } from "../charts/packed-charts.ts";
import {
  configurationOf,
  openChart,
  type RenderableChart,
  type Rendering,
  type Values,
} from "../charts/rendered-chart.ts";

let charts: PackedCharts;
let chart: RenderableChart;
let coreChart: RenderableChart;
beforeAll(async () => {
  charts = packCharts();
  chart = await openChart(charts.path("container-deployer"));
  coreChart = await openChart(charts.path("landscaper"));
});
afterAll(() => charts.dispose());

const render = (values: Values = {}): Rendering => chart.render(values);

interface CleanupPod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly containers: readonly [{ readonly args: readonly string[] }];
  };
}

describe("the chart of the container deployer", () => {
  const hooksOf = (values: Values = {}) => render(values).hooks;
  const jobOf = (values: Values = {}) => Object(hooksOf(values).find(({ kind }) => kind === "Job")?.["spec"]);
  const cleanupPod = (values: Values = {}): CleanupPod => jobOf(values).template;
  const flagsOf = (values: Values = {}) => {
    const [container] = cleanupPod(values).spec.containers;
    return parseCleanupFlags(findCleanup(container.args) ?? []);
  };

  it("cleans up before it is uninstalled, and at no other time", () => {
    expect(hooksOf().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["ServiceAccount", "Role", "RoleBinding", "Job"]),
    );
    for (const { metadata } of hooksOf())
      expect(metadata).toMatchObject({ annotations: { "helm.sh/hook": "pre-delete" } });
    expect(hooksOf({ cleanup: { enabled: false } })).toEqual([]);
  });

  it("cleans up after the deployer and the namespace of its configuration", () => {
    const values = { deployer: { namespace: "programs", identity: "edge" } };
    const { namespace, identity } = Object(configurationOf(render(values)));
    const deployment = { namespace: "landscaper-system", name: "ls-container-deployer" };
    const common = { deployment, timeoutMs: 480_000, keepsState: false };
    expect(flagsOf(values)).toMatchObject({ ...common, deployerId: identity, namespace });
    const kept = { ...values, cleanup: { keepState: true, timeoutSeconds: 60 } };
    expect(flagsOf(kept)).toMatchObject({ deployment, timeoutMs: 60_000, keepsState: true });
    expect(jobOf(kept)).toMatchObject({ activeDeadlineSeconds: 180, backoffLimit: 0 });
  });

  it("cleans up in Pods that the Deployment does not select", () => {
    const { matchLabels } = Object(render().find("Deployment")["spec"]).selector;
    const labels = cleanupPod().metadata.labels;
    expect(Object.entries(Object(matchLabels)).every(([name, value]) => labels[name] === value)).toBe(false);
  });

  it("cleans up with an account of its own, or with the account of the operator", () => {
    const { serviceAccountName } = cleanupPod().spec;
    expect(serviceAccountName).toBe("ls-container-deployer-cleanup");
    const bindings = hooksOf({ deployer: { namespace: "programs" } }).filter(({ kind }) => kind === "RoleBinding");
    expect(bindings.map(({ metadata, subjects }) => [metadata.namespace, subjects])).toEqual(
      ["landscaper-system", "programs"].map((namespace) => [
        namespace,
        [{ kind: "ServiceAccount", name: serviceAccountName, namespace: "landscaper-system" }],
      ]),
    );
    const own = { rbac: { create: false }, serviceAccount: { create: false, name: "mine" } };
    expect(hooksOf(own).map(({ kind }) => kind)).toEqual(["Job"]);
    expect(cleanupPod(own).spec.serviceAccountName).toBe("mine");
  });
});

describe("the values of a release without a cleanup", () => {
  it.each([
    ["the container deployer", () => chart, 480],
    ["the core", () => coreChart, 120],
  ])("give %s a cleanup with the defaults", (...[, chartOf, seconds]) => {
    const [before, after] = [chartOf().render(), chartOf().render({ cleanup: null })];
    expect(after.hooks).toEqual(before.hooks);
    expect(JSON.stringify(after.hooks)).toContain(`--timeout=${seconds}s`);
  });
});

describe("the chart of the core", () => {
  const hooksOf = (values: Values = {}) => coreChart.render(values).hooks;
  const podOf = (values: Values = {}): CleanupPod & { readonly spec: { readonly volumes: readonly object[] } } =>
    Object(hooksOf(values).find(({ kind }) => kind === "Job")?.["spec"]).template;
  const flagsOf = (values: Values = {}) => findCleanup(podOf(values).spec.containers[0].args);

  it("removes finalizers before it is uninstalled, and at no other time", () => {
    expect(hooksOf().map(({ kind }) => kind)).toEqual(["Role", "RoleBinding", "Job"]);
    for (const { metadata } of hooksOf())
      expect(metadata).toMatchObject({ annotations: { "helm.sh/hook": "pre-delete" } });
    expect(hooksOf({ cleanup: { enabled: false } })).toEqual([]);
  });

  it("stops its Deployment, with the account of the core", () => {
    const { name } = coreChart.render().find("Deployment").metadata;
    expect(flagsOf({ cleanup: { timeoutSeconds: 60 } })).toEqual([
      `--deployment=landscaper-system/${name}`,
      "--timeout=60s",
    ]);
    const [, binding] = hooksOf();
    const { serviceAccountName } = podOf().spec;
    expect(binding?.["subjects"]).toEqual([
      { kind: "ServiceAccount", name: serviceAccountName, namespace: "landscaper-system" },
    ]);
    expect(Object(coreChart.render().find("Deployment")["spec"]).template.spec.serviceAccountName).toBe(
      serviceAccountName,
    );
  });

  it("uses the kubeconfig of a landscaper cluster of its own", () => {
    const values = { landscaper: { landscaperClusterKubeconfig: { secretRef: { name: "hub", key: "config" } } } };
    expect(flagsOf(values)?.[0]).toBe("--landscaper-kubeconfig=/app/ls/landscaper-cluster-kubeconfig/kubeconfig");
    expect(JSON.stringify(podOf(values).spec.volumes)).toContain('"secretName":"hub"');
  });

  it("runs in Pods that the Deployment does not select", () => {
    const { matchLabels } = Object(coreChart.render().find("Deployment")["spec"]).selector;
    const { labels } = podOf().metadata;
    expect(Object.entries(Object(matchLabels)).every(([name, value]) => labels[name] === value)).toBe(false);
  });

  it("has the volumes and the egress that the operator gives to the core", () => {
    const values = {
      extraVolumes: [{ name: "token", emptyDir: {} }],
      extraVolumeMounts: [{ name: "token", mountPath: "/token" }],
      networkPolicy: { enabled: true, egress: [{ ports: [{ port: 6443 }] }] },
    };
    const { volumes, containers } = podOf(values).spec;
    expect(volumes).toContainEqual({ name: "token", emptyDir: {} });
    expect(JSON.stringify(containers)).toContain('"mountPath":"/token"');
    const policy = hooksOf(values).find(({ kind }) => kind === "NetworkPolicy");
    const ofCore = coreChart.render(values).find("NetworkPolicy");
    expect(Object(policy?.["spec"]).egress).toEqual(Object(ofCore["spec"]).egress);
    expect(Object(policy?.["spec"]).podSelector.matchLabels).toEqual(podOf(values).metadata.labels);
    expect(hooksOf({ networkPolicy: { enabled: true } }).map(({ kind }) => kind)).not.toContain("NetworkPolicy");
  });
});
