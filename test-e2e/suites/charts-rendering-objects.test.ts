// What the charts render, before the API server: it takes each object, and the pods fulfil the profile "restricted". Two releases share nothing.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { parseServiceFlags } from "@landscaper/controller-runtime";
import { stringify } from "yaml";
import { allCharts, type ChartName, type PackedCharts, packCharts, serviceCharts } from "../charts/packed-charts.ts";
import {
  type ChartObject,
  configurationOf,
  openChart,
  type RenderableChart,
  type Rendering,
  type Values,
} from "../charts/rendered-chart.ts";
import { chartValues, hardenedValues, installationsOfRun } from "../charts/sample-landscapes.ts";
import { merge } from "../charts/value-samples.ts";
import { createKubectl, findKubectl, type Kubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { ensureNamespace } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

let charts: PackedCharts;
const opened = new Map<ChartName, RenderableChart>();
beforeAll(async () => {
  charts = packCharts();
  for (const chart of allCharts) opened.set(chart, await openChart(charts.path(chart)));
});
afterAll(() => charts.dispose());

function render(
  chart: ChartName,
  values: Values = {},
  release?: { readonly name?: string; readonly namespace?: string },
): Rendering {
  const found = opened.get(chart);
  if (found === undefined) throw new Error(`${chart} is not packed`);
  return found.render(values, release);
}

/** Kinds whose CRDs are not ours: the Prometheus operator has them. */
const isServed = ({ apiVersion }: ChartObject): boolean => !apiVersion.startsWith("monitoring.coreos.com/");

const startsPods = ({ kind }: ChartObject): boolean => kind === "Deployment" || kind === "Job";

/** The pod that a Deployment or a Job starts. */
function podOf({ metadata, spec }: ChartObject): Values {
  const template = Reflect.get(Object(spec), "template") as Values; // of a Deployment
  const { namespace } = metadata;
  return { apiVersion: "v1", kind: "Pod", ...template, metadata: { name: "pod", namespace } };
}

/** The pod without what a dry run lacks: its account, and its priority. */
function startable(pod: Values): Values {
  return { ...pod, spec: { ...Object(pod["spec"]), serviceAccountName: "default", priorityClassName: undefined } };
}

// plan-run.ts leaves suites with kubectl out, and says so, where there is none.
describe.each(clustersUnderTest())("charts on %s", (cluster) => {
  let hub: TestCluster;
  let kubectl: Kubectl;

  async function dryRun(objects: readonly unknown[], ...words: readonly string[]): Promise<string> {
    const stdin = objects.map((object) => stringify(object)).join("---\n");
    const args = ["apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", "-", ...words];
    const { status, stdout, stderr } = await kubectl.run(args, { stdin });
    return status === 0 ? stdout : stderr;
  }

  beforeAll(async () => {
    hub = await startTestCluster(cluster);
    kubectl = createKubectl(findKubectl() ?? "", hub.kubeconfig);
    // The chart of the container deployer sets the profile of this one.
    await ensureNamespace(hub.client, "landscaper-system-programs");
    for (const name of ["ls-system", "landscaper-system", "landscaper-leases"]) {
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      await hub.client.create(kubeResources.namespace, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name, labels },
      });
    }
  });
  afterAll(async () => {
    kubectl.dispose();
    await hub.stop();
  });

  it.each(installationsOfRun())("the API server takes each object of $title", async ({ chart, values }) => {
    const rendering = render(chart, values);
    const objects = [...rendering.objects, ...rendering.hooks].filter(isServed);
    const applied = (await dryRun(objects)).trim().split("\n");
    expect(applied.filter((line) => !line.endsWith(" serverside-applied (server dry run)"))).toEqual([]);
    expect(applied).toHaveLength(objects.length);
  });

  // The embedded API server has no admission of pods.
  if (cluster === "real") {
    it.each(installationsOfRun().filter(({ chart }) => chart !== "landscaper-stack"))(
      "the profile restricted permits the pods of $title",
      async ({ chart, values }) => {
        const { objects, hooks } = render(chart, values);
        await ensureDefaultAccount(hub);
        for (const pod of [...objects, ...hooks].filter(startsPods).map(podOf)) {
          expect(await dryRun([startable(pod)])).toBe("pod/pod serverside-applied (server dry run)\n");
        }
      },
    );

    it("the profile restricted refuses pods with other settings", async () => {
      const rendering = render("mock-deployer", { securityContext: { allowPrivilegeEscalation: true } });
      expect(await dryRun([startable(podOf(rendering.find("Deployment")))])).toContain(
        'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
      );
    });
  }
});

/** The controller that makes it does not run on every cluster. */
async function ensureDefaultAccount({ client }: TestCluster): Promise<void> {
  const metadata = { name: "default", namespace: "ls-system" };
  const found = await client.find(kubeResources.serviceAccount, { namespace: metadata.namespace, name: metadata.name });
  if (found === undefined)
    await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
}

/** Names of everything that a release makes, with kind and namespace. Of two releases, only the first creates a Namespace: the second finds it by lookup. */
function identitiesOf({ objects, hooks }: Rendering): string[] {
  return [...objects, ...hooks]
    .filter(({ kind }) => kind !== "Namespace")
    .map(({ kind, metadata }) => [kind, metadata.namespace ?? "", metadata.name].join("/"));
}

const deployerCharts = serviceCharts.filter((chart) => chart !== "landscaper" && chart !== "landscaper-agent");

describe.each(deployerCharts)("two releases of %s", (chart) => {
  it.each([
    ["in one namespace", { name: "blue" }, { name: "green" }],
    ["of one name in two namespaces", { namespace: "blue" }, { namespace: "green" }],
    [
      "whose names and namespaces could be joined alike",
      { name: "a-b", namespace: "c" },
      { name: "b", namespace: "c-a" },
    ],
  ])("%s share no object, no label that selects pods, and no identity", (_, one, other) => {
    const values = {
      networkPolicy: { enabled: true },
      prometheusRule: { enabled: true },
      dashboard: { enabled: true },
    };
    const [first, second] = [render(chart, values, one), render(chart, values, other)];
    const shared = new Set(identitiesOf(first));
    expect(identitiesOf(second).filter((identity) => shared.has(identity))).toEqual([]);
    const identities = [first, second].map((each) => Reflect.get(Object(configurationOf(each)), "identity"));
    expect(new Set(identities).size).toBe(2);
    const places = [first, second].map((each) => {
      const { metadata, spec } = each.find("Deployment");
      return JSON.stringify([metadata.namespace, Reflect.get(Object(spec), "selector")]);
    });
    expect(new Set(places).size).toBe(2);
  });
});

describe("a release", () => {
  const annotationsOf = (rendering: Rendering): unknown => {
    const pod = Reflect.get(Object(rendering.find("Deployment")["spec"]), "template");
    return Reflect.get(Object(Reflect.get(Object(pod), "metadata")), "annotations");
  };

  it.each<[string, Values]>([
    ["the configuration", { deployer: { fieldValidation: "Strict" } }],
    ["a Secret for registries", { deployer: { oci: { secrets: { internal: { auths: {} } } } } }],
    ["an inline kubeconfig", { deployer: { landscaperClusterKubeconfig: { kubeconfig: "a: b" } } }],
  ])("replaces its pods when %s changes", (_, values) => {
    expect(annotationsOf(render("helm-deployer", values))).not.toEqual(annotationsOf(render("helm-deployer")));
  });

  it("keeps its pods when nothing that they read changes", () => {
    const more = { serviceMonitor: { enabled: true }, replicaCount: 2 };
    expect(annotationsOf(render("helm-deployer", more))).toEqual(annotationsOf(render("helm-deployer")));
  });

  it("gives no right on CRDs where the core does not bring them, and says how they come", () => {
    const { text, notes } = render("landscaper", { landscaper: { crdManagement: { deployCrd: false } } });
    expect(text).not.toContain("customresourcedefinitions");
    expect(text).not.toContain("apiextensions.k8s.io");
    expect(notes).toContain("kubectl apply -f crds/");
    expect(render("landscaper").text).toContain("customresourcedefinitions");
  });

  it("gives no right on the landscaper cluster where that is another one, and says how they come", () => {
    const values = { deployer: { landscaperClusterKubeconfig: { secretRef: "hub" } } };
    const { objects, notes } = render("helm-deployer", values);
    expect(objects.filter(({ kind }) => /Role/.test(kind))).toEqual([]);
    expect(notes).toContain(
      "helm template ls CHART -n landscaper-system -s templates/serviceaccount.yaml -s templates/rbac.yaml",
    );
  });

  it("gives a deployer for some namespaces its rights in these, and none in all", () => {
    const { objects } = render("mock-deployer", { deployer: { namespaces: ["team-a", "team-b"] } });
    const made = objects.filter(({ kind }) => kind.includes("Role"));
    expect(made.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`).toSorted()).toEqual(
      ["ls-system", "team-a", "team-b"]
        .flatMap((namespace) => [`Role ${namespace}`, `RoleBinding ${namespace}`])
        .toSorted(),
    );
  });

  it("gives an agent its own rights, whatever namespaces its Environment names", () => {
    const rolesOf = (agent: Values) =>
      render("landscaper-agent", { agent }).objects.filter(({ kind }) => kind.includes("Role"));
    expect(rolesOf({ namespaces: ["team-a"] })).toEqual(rolesOf({}));
    const config = configurationOf(render("landscaper-agent", { agent: { namespaces: ["team-a"] } }));
    expect(Reflect.get(Object(config), "namespaces")).toEqual(["team-a"]);
  });

  it("gives the agent of a stack all namespaces and lists its Environment in hubEnvironments", () => {
    const rendered = render("landscaper-stack", chartValues("landscaper-stack", "values-agent.yaml"));
    expect(configurationOf(rendered, "ls-landscaper-agent")).toMatchObject({ name: "default", namespaces: ["*"] });
    const deployerManagement = { hubEnvironments: ["default"] };
    expect(configurationOf(rendered, "ls-landscaper")).toMatchObject({ deployerManagement });
  });

  it("gives a core in another cluster the rights for its Leases and the CRDs of its own kinds alone", () => {
    const { objects } = render("landscaper", { landscaper: { landscaperClusterKubeconfig: { secretRef: "hub" } } });
    const roles = objects.filter(({ kind }) => kind.endsWith("Role"));
    expect(roles.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "ClusterRole landscaper:landscaper-system:ls-landscaper",
      "Role ls-landscaper",
    ]);
    expect(JSON.stringify(roles[0])).toContain("criticalproblems.landscaper.gardener.cloud");
    expect(JSON.stringify(roles[0])).not.toContain("installations");
  });

  it.each<[ChartName, Values, object]>([
    ["landscaper", {}, { leaderElection: true, leaseDurationMs: 15_000, host: undefined, logLevel: "info" }],
    ["helm-deployer", {}, { leaseNamespace: "ls-system", leaseDurationMs: 15_000, host: undefined, logLevel: "info" }],
    [
      "manifest-deployer",
      {
        deployer: {
          verbosityLevel: 4,
          leaseDuration: "30s",
          leaseNamespace: "leases",
          landscaperClusterKubeconfig: { secretRef: "hub" },
        },
      },
      {
        leaseNamespace: "leases",
        leaseDurationMs: 30_000,
        logLevel: "debug",
        kubeconfig: "/app/ls/landscaper-cluster-kubeconfig/kubeconfig",
        host: { kubeconfig: undefined },
      },
    ],
  ])("of %s with %j starts the service with flags that it takes", (chart, values, flags) => {
    const { containers } = Object(Reflect.get(podOf(render(chart, values).find("Deployment")), "spec"));
    const { args } = (containers as readonly { readonly args: readonly string[] }[])[0] ?? { args: [] };
    expect(parseServiceFlags(args, { electsLeader: chart === "landscaper" })).toMatchObject({
      configFile: "/app/ls/config/config.yaml",
      ...flags,
    });
  });

  it.each<[ChartName, Values, string]>([
    ["helm-deployer", { deployer: { namespace: "x" } }, "WARNING: deployer.namespace (x) has no effect"],
    [
      "landscaper",
      { landscaper: { k8sClientSettings: { hostClient: { qps: 1 } } } },
      "WARNING: landscaper.k8sClientSettings has no effect",
    ],
    ["mock-deployer", { nats: { url: "nats://a" } }, "WARNING: nats has no effect: the core publishes the events."],
    [
      "landscaper",
      { landscaper: { egress: { profile: "hardened" } } },
      "WARNING: landscaper.egress.clusterCIDRs is empty",
    ],
    [
      "mock-deployer",
      { rbac: { create: false } },
      "WARNING: rbac.create is false. Give the account ls-mock-deployer the rights",
    ],
  ])("of %s with %j warns", (chart, values, warning) => {
    expect(render(chart, values).notes).toContain(warning);
    expect(render(chart).notes).not.toContain("WARNING");
  });

  it("keeps what users give it as secret in Secrets alone", () => {
    const secret = "s3cret-s3ntinel";
    const deployer = {
      landscaperClusterKubeconfig: { kubeconfig: `users: [{ user: { token: ${secret} } }]` },
      oci: { secrets: { internal: { auths: { "registry.example.com": { auth: secret } } } } },
    };
    const { objects, notes } = render("helm-deployer", { deployer });
    const holders = objects.filter((object) => JSON.stringify(object).includes(secret));
    expect(holders.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "Secret ls-helm-deployer-landscaper-kubeconfig",
      "Secret ls-helm-deployer-registries",
    ]);
    expect(notes).not.toContain(secret);
  });

  it("of the agent is called like its Environment, and has rights to what belongs to that alone", () => {
    const here = render("landscaper-agent");
    const kubeconfig = { landscaperClusterKubeconfig: { secretRef: "hub" } };
    const elsewhere = render("landscaper-agent", { agent: { name: "edge", namespace: "deployers", ...kubeconfig } });
    expect(configurationOf(here)).toMatchObject({ name: "ls", namespace: "landscaper-system" });
    expect(configurationOf(elsewhere)).toMatchObject({ name: "edge", namespace: "deployers" });
    const rolesOf = ({ objects }: Rendering) =>
      objects.filter(({ kind }) => kind.endsWith("Role")).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(rolesOf(here)).toEqual([
      "ClusterRole landscaper:landscaper-system:ls-landscaper-agent",
      "ClusterRole landscaper:landscaper-system:ls-landscaper-agent:host",
      "Role landscaper:landscaper-system:ls-landscaper-agent:items",
      "Role landscaper:landscaper-system:ls-landscaper-agent",
      "Role ls-landscaper-agent-host",
    ]);
    expect(here.text).toContain('kind: Role\n  name: "landscaper:agent:secrets:ls"');
    // The landscaper cluster is another one.
    const host = "landscaper:landscaper-system:ls-landscaper-agent:host";
    expect(rolesOf(elsewhere)).toEqual([`ClusterRole ${host}`, `Role ${host}`]);
    const rules = JSON.stringify([elsewhere.find("ClusterRole", host), elsewhere.find("Role", host)]);
    for (const name of ["landscaper:agent:deployer:edge", "deployer-edge", "edge-target-access"]) {
      expect(rules).toContain(`"${name}"`);
    }
    expect(rules).not.toContain("ENVIRONMENT");
    expect(elsewhere.find("Role", host).metadata.namespace).toBe("deployers");
    expect(elsewhere.notes).toContain("Deployers are installed in namespace deployers, which has to exist.");
    expect(elsewhere.notes).not.toContain("WARNING");
  });

  it("of the agent with values-hardened.yaml has the strict settings", () => {
    const configuration = configurationOf(render("landscaper-agent", hardenedValues("landscaper-agent")));
    expect(configuration).toMatchObject(strictSettings);
  });

  /** Of the configuration of a service, only in the stack. */
  const ofStack = (chart: string): Values => {
    if (chart === "landscaper") return {};
    if (chart !== "landscaper-agent") return { identity: `landscaper-system.ls-${chart}` };
    const { agent } = Object(chartValues("landscaper-stack", "values.yaml")[chart]) as { readonly agent: Values }; // as generated
    const { inLandscaperNamespace, ...configuration } = agent;
    expect([configuration["name"], inLandscaperNamespace]).toEqual(["default", true]);
    return { ...configuration, namespace: "ls-system" };
  };

  it.each(serviceCharts)("of %s with values-hardened.yaml has the strict settings, alone and in the stack", (chart) => {
    const alone = configurationOf(render(chart, hardenedValues(chart)));
    expect(alone).toMatchObject(strictSettings);
    const stack = merge(hardenedValues("landscaper-stack"), {
      enabled: { containerDeployer: true, mockDeployer: true, landscaperAgent: true },
    });
    expect(configurationOf(render("landscaper-stack", stack), `ls-${chart}`)).toEqual({
      ...Object(alone),
      ...ofStack(chart),
    });
    expect(render("landscaper-stack", stack).find("NetworkPolicy", `ls-${chart}`)["spec"]).toEqual(
      render(chart, hardenedValues(chart)).find("NetworkPolicy")["spec"],
    );
  });

  it("has memory for what its threads may take", () => {
    const { landscaper } = defaultsOf("landscaper");
    const { threads, memoryMiB } = landscaper.rendering;
    // docs/guide/security.md#limits-of-time-and-memory
    expect((threads + 4) * (memoryMiB + 192) + 600).toBeLessThanOrEqual(4096);
    expect(JSON.stringify(render("landscaper").find("Deployment"))).toContain('"limits":{"memory":"4Gi"}');
  });
});

const strictSettings = {
  fieldValidation: "Strict",
  egress: { profile: "hardened" },
  oidcRequireAudience: true,
};

interface Defaults {
  readonly landscaper: { readonly rendering: { readonly threads: number; readonly memoryMiB: number } };
}

/** What the configuration has without any value of the user. */
function defaultsOf(chart: ChartName): Defaults {
  return { landscaper: configurationOf(render(chart)) } as Defaults; // values.yaml sets both
}
