// What the chart of the container deployer runs when it is uninstalled.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { findCleanup, parseCleanupFlags } from "@landscaper/container-deployer-lib";
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
beforeAll(async () => {
  charts = packCharts();
  chart = await openChart(charts.path("container-deployer"));
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
