// Which namespace each object of a release is in, and which namespaces the charts refuse: docs/adr/0045-two-namespaces-of-a-hub.md.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { productVersion } from "@landscaper/api";
import { type ChartName, type PackedCharts, packCharts } from "../charts/packed-charts.ts";
import {
  configurationOf,
  openChart,
  type RenderableChart,
  type Rendering,
  type Values,
} from "../charts/rendered-chart.ts";
import { chartValues } from "../charts/sample-landscapes.ts";
import { merge } from "../charts/value-samples.ts";

let charts: PackedCharts;
const opened = new Map<ChartName, RenderableChart["render"]>();
beforeAll(async () => {
  charts = packCharts();
  for (const chart of ["landscaper", "landscaper-agent", "landscaper-stack", "container-deployer"] as const) {
    opened.set(chart, (await openChart(charts.path(chart))).render);
  }
});
afterAll(() => charts.dispose());

const render = (chart: ChartName, ...words: Parameters<RenderableChart["render"]>): Rendering => {
  const found = opened.get(chart);
  if (found === undefined) throw new Error(`${chart} is not opened`);
  return found(...words);
};

const withAgent = chartValues("landscaper-stack", "values-agent.yaml");
const management = "ls-system";
const kubeconfig = { landscaperClusterKubeconfig: { secretRef: "hub" } };
const inManagement = { namespace: management };

/** "Deployment/ls" by namespace. */
function placesOf({ objects }: Rendering): Record<string, string[]> {
  const places: Record<string, string[]> = {};
  for (const { kind, metadata } of objects) (places[metadata.namespace ?? ""] ??= []).push(`${kind}/${metadata.name}`);
  return places;
}

const namespacesOf = ({ objects }: Rendering): unknown[] =>
  objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata);

/** Values of the core, alone or in the stack. */
const ofCore = (chart: ChartName, values: Values): Values => (chart === "landscaper" ? values : { landscaper: values });

describe.each(["landscaper", "landscaper-stack"] as const)("a first install of %s", (chart) => {
  it("fails in the namespace of deployer management, and names the remedy", () => {
    expect(() => render(chart, {}, inManagement)).toThrow(
      "the namespace of the release (ls-system) must differ from the namespace of deployer management (landscaper.deployerManagement.namespace: ls-system), because agents of Environments read Secrets there. Install into another namespace: --namespace landscaper-system --create-namespace. To render a hub that exists, use helm template --is-upgrade, or set managementNamespace.allowShared to true",
    );
    const values = ofCore(chart, { landscaper: { deployerManagement: { namespace: "managed" } } });
    expect(() => render(chart, values, { namespace: "managed" })).toThrow(
      "the namespace of the release (managed) must differ from the namespace of deployer management (landscaper.deployerManagement.namespace: managed)",
    );
    expect(namespacesOf(render(chart, values, inManagement))).toMatchObject([{ name: "managed" }]);
  });

  it.each<[string, Values, boolean]>([
    ["without deployer management", { landscaper: { deployerManagement: { disable: true } } }, false],
    ["for a landscaper cluster of its own", { landscaper: kubeconfig }, false],
    ["that managementNamespace.allowShared permits", { managementNamespace: { allowShared: true } }, true],
  ])("%s works there, creates no namespace, and warns only of a shared one", (_, values, isShared) => {
    const rendering = render(chart, ofCore(chart, values), inManagement);
    expect(namespacesOf(rendering)).toEqual([]);
    expect(rendering.notes.includes("WARNING: The core runs in the namespace")).toBe(isShared);
  });

  it("creates the namespace of deployer management, which Helm keeps, unless the values forbid it", () => {
    const [namespace, ...others] = namespacesOf(render(chart));
    expect(others).toEqual([]);
    expect(namespace).toMatchObject({ name: management, annotations: { "helm.sh/resource-policy": "keep" } });
    const values = ofCore(chart, { managementNamespace: { create: false } });
    expect(namespacesOf(render(chart, values))).toEqual([]);
  });
});

describe.each(["landscaper", "landscaper-stack"] as const)("an upgrade of %s in one namespace", (chart) => {
  it("works, and warns in the notes", () => {
    const { notes, objects } = render(chart, {}, { ...inManagement, isUpgrade: true });
    expect(notes).toContain(
      "WARNING: The core runs in the namespace of deployer management (ls-system), whose Secrets agents of Environments read. Move the release to a namespace of its own: landscaper hub move --release ls --from ls-system --to landscaper-system (docs/guide/install.md#two-namespaces).",
    );
    expect(objects.filter(({ kind }) => kind === "Namespace")).toEqual([]);
    expect(render(chart, {}, { isUpgrade: true }).notes).not.toContain("WARNING");
  });
});

describe("an upgrade with the values of a release that has no managementNamespace", () => {
  // As `helm upgrade --reuse-values` gives them.
  const reused = { managementNamespace: null };

  it.each(["landscaper", "landscaper-stack"] as const)("of %s works", (chart) => {
    const shared = render(chart, ofCore(chart, reused), { ...inManagement, isUpgrade: true });
    expect(namespacesOf(shared)).toEqual([]);
    const moved = render(chart, ofCore(chart, reused), { isUpgrade: true });
    expect(namespacesOf(moved)).toMatchObject([{ name: management }]);
  });
});

describe("the agent of a stack", () => {
  it("is in the namespace of deployer management with all its objects, and only the core is in the namespace of the release", () => {
    const places = placesOf(render("landscaper-stack", withAgent));
    expect(places["landscaper-system"]).toEqual([
      "ServiceAccount/ls-landscaper",
      "ConfigMap/ls-landscaper",
      "Role/ls-landscaper",
      "RoleBinding/ls-landscaper",
      "Service/ls-landscaper",
      "Deployment/ls-landscaper",
    ]);
    expect(places[management]).toEqual([
      "ServiceAccount/ls-landscaper-agent",
      "ConfigMap/ls-landscaper-agent",
      "Role/landscaper:landscaper-system:ls-landscaper-agent:items",
      "Role/ls-landscaper-agent",
      "Role/ls-landscaper-agent-host",
      "RoleBinding/landscaper:landscaper-system:ls-landscaper-agent:items",
      "RoleBinding/landscaper:landscaper-system:ls-landscaper-agent:secrets",
      "RoleBinding/ls-landscaper-agent",
      "RoleBinding/ls-landscaper-agent-host",
      "Service/ls-landscaper-agent",
      "Deployment/ls-landscaper-agent",
    ]);
    expect(Object.keys(places).toSorted()).toEqual(["", "landscaper-system", management]);
  });

  it("has the account of its own namespace in all bindings", () => {
    const bindings = render("landscaper-stack", withAgent).objects.filter(
      ({ kind, metadata }) => kind.endsWith("Binding") && metadata.name.includes("landscaper-agent"),
    );
    const subjects = bindings.map((each) => JSON.stringify(each["subjects"]));
    const subject = { kind: "ServiceAccount", name: "ls-landscaper-agent", namespace: management };
    expect(new Set(subjects)).toEqual(new Set([JSON.stringify([subject])]));
    expect(subjects).toHaveLength(6);
  });

  it("has its alerts, dashboard and network policy there, and the notes name the namespace", () => {
    const on = { enabled: true };
    const shared = {
      global: { landscaper: { prometheusRule: on, dashboard: on, networkPolicy: on, serviceMonitor: on } },
    };
    const rendering = render("landscaper-stack", merge(withAgent, shared));
    for (const kind of ["PrometheusRule", "NetworkPolicy", "ServiceMonitor"]) {
      expect(rendering.find(kind, "ls-landscaper-agent").metadata.namespace).toBe(management);
    }
    expect(rendering.find("ConfigMap", "ls-landscaper-agent-dashboard").metadata.namespace).toBe(management);
    const alerts = JSON.stringify(rendering.find("PrometheusRule", "ls-landscaper-agent"));
    expect(alerts).toContain('namespace=\\"ls-system\\",job=\\"ls-landscaper-agent\\"');
    expect(rendering.notes).toContain("The agent and the deployers that it installs run in namespace ls-system.");
  });

  it("keeps its access Secret and its deployers in the namespace that the values name", () => {
    const rendering = render(
      "landscaper-stack",
      merge(withAgent, { "landscaper-agent": { agent: { namespace: "third" } } }),
    );
    expect(configurationOf(rendering, "ls-landscaper-agent")).toMatchObject({ namespace: "third" });
    expect(placesOf(rendering)["third"]).toEqual([
      "Role/landscaper:landscaper-system:ls-landscaper-agent:host",
      "RoleBinding/landscaper:landscaper-system:ls-landscaper-agent:host",
    ]);
    expect(rendering.find("Deployment", "ls-landscaper-agent").metadata.namespace).toBe(management);
  });

  it("gets its namespace from the stack if the core is for another cluster, or is not part of the stack", () => {
    const elsewhere = merge(withAgent, { global: { landscaper: kubeconfig } });
    expect(namespacesOf(render("landscaper-stack", elsewhere))).toMatchObject([{ name: management }]);
    const alone = merge(withAgent, {
      enabled: { landscaper: false },
      "landscaper-agent": { agent: { landscaperNamespace: "managed" } },
    });
    const rendering = render("landscaper-stack", alone);
    expect(namespacesOf(rendering)).toMatchObject([{ name: "managed" }]);
    expect(rendering.find("Deployment", "ls-landscaper-agent").metadata.namespace).toBe("managed");
  });

  it("is in the namespace of the release if the chart is installed alone", () => {
    const { objects } = render("landscaper-agent", {}, { namespace: "edge" });
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(
      new Set([undefined, "edge", management]),
    );
    expect(objects.find(({ kind }) => kind === "Deployment")?.metadata.namespace).toBe("edge");
  });
});

describe("the chart container-deployer", () => {
  it("gives it the namespace of the programs, and the programs of this version", () => {
    const here = render("container-deployer");
    expect(configurationOf(here)).toMatchObject({
      namespace: "landscaper-system-programs",
      initContainer: { image: `landscaper/container-deployer-init:${productVersion}` },
      waitContainer: { image: `landscaper/container-deployer-wait:${productVersion}` },
    });
    const role = "landscaper:landscaper-system:ls-container-deployer:pods";
    expect(here.find("Role", role).metadata.namespace).toBe("landscaper-system-programs");
    expect(here.find("Namespace").metadata).toMatchObject({
      name: "landscaper-system-programs",
      labels: { "pod-security.kubernetes.io/enforce": "baseline" },
      annotations: { "helm.sh/resource-policy": "keep" },
    });
    expect(here.notes).toContain("in namespace landscaper-system-programs, which the chart creates.");
    const shared = render("container-deployer", { deployer: { namespace: "landscaper-system" } });
    expect(shared.find("Role", "ls-container-deployer-pods").metadata.namespace).toBe("landscaper-system");
    expect(shared.notes).toContain(
      "WARNING: Programs of users run in the namespace of the release (landscaper-system).",
    );
    const elsewhere = render("container-deployer", {
      deployer: { namespace: "programs", waitContainer: { image: "registry.example.com/wait:1" } },
      global: { landscaper: { image: { prefix: "registry.example.com/ls/", tag: "1.2.3" } } },
    });
    expect(configurationOf(elsewhere)).toMatchObject({
      namespace: "programs",
      initContainer: { image: "registry.example.com/ls/container-deployer-init:1.2.3" },
      waitContainer: { image: "registry.example.com/wait:1" },
    });
    expect(
      elsewhere.find("RoleBinding", "landscaper:landscaper-system:ls-container-deployer:pods").metadata.namespace,
    ).toBe("programs");
    expect(elsewhere.objects.filter(({ kind }) => kind === "Namespace")).toEqual([]);
    expect(here.notes).not.toContain("WARNING");
    expect(elsewhere.notes).toContain("Programs run as pods in namespace programs, which has to exist.");
    expect(elsewhere.notes).not.toContain("WARNING");
  });
});
