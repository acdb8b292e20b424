// docs/guide/install.md on a real node: every command of the page in the page's order, with the real helm, kubectl and skopeo.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, productVersion, resources, type KubeObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createKubeconfig, describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { stringify } from "yaml";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { findImages } from "../../scripts/images/image-list.ts";
import {
  chartClusterAbsence,
  startChartCluster,
  systemNamespace,
  untilGone,
  type ChartCluster,
} from "../charts-node/chart-cluster.ts";
import { createGuideCommands, type GuideCommands, type Substitution } from "../charts-node/guide-commands.ts";
import { podRange, serviceRange } from "../cluster/node-network.ts";
import { buildOracle } from "../oracles/build-oracle.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { findKubectl } from "../src/clients/kubectl.ts";
import { createLimitedAccount } from "../src/clusters/limited-account.ts";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { createUserShell, type UserShell } from "../src/examples/user-shell.ts";

const root = join(import.meta.dirname, "../..");
const suiteMs = 1_800_000;
const testMs = 600_000;
const guide = readGuideExamples("install.md");
/** hub-move.test.ts runs the others. */
const blocks = guide.blocks.filter(({ heading }) => heading !== "A hub in one namespace");
/** Of the stack. */
const services = ["helm-deployer", "landscaper", "manifest-deployer"];

/** Beside these: pods pull nothing, because a node of the tests reaches no registry; it has the same archives under the same names. */
const substitutions: readonly Substitution[] = [
  {
    heading: "Before you begin",
    text: "npm run images\nnpm run charts\n",
    by: "",
    reason: "both have run: the suites share images, and the charts are where these commands leave them",
  },
  {
    heading: "Before you begin",
    text: "skopeo copy",
    by: "skopeo copy --dest-tls-verify=false",
    reason: "the registry of the test is on loopback, without TLS",
  },
  {
    heading: "Before you begin",
    text: "-amd64",
    by: `-${machineArchitecture}`,
    reason: "the images are those of this machine",
  },
  {
    heading: "Roll back",
    text: "REVISION",
    by: "2",
    reason: "the guide leaves the number to the reader",
  },
  {
    heading: "Harden",
    text: "10.96.0.0/12,100.64.0.0/10",
    by: `${serviceRange},${podRange}`,
    reason: "each cluster has networks of its own",
  },
];

const missing = chartClusterAbsence() ?? programAbsence("docker-registry") ?? programAbsence("skopeo");

describeUnless(missing, describe)("the guide to installing", () => {
  const checkout = mkdtempSync(join(tmpdir(), "landscaper-install-"));
  const chartsFolder = join(checkout, "dist/charts");
  let registry: TestRegistry;
  let cluster: ChartCluster;
  let shell: UserShell;
  let page: GuideCommands;
  let scope: TestNamespace;

  beforeAll(async () => {
    registry = await startTestRegistry();
    const place = `${registry.host}/landscaper`;
    cluster = await startChartCluster({ imagePrefix: place });
    mkdirSync(dirname(chartsFolder));
    for (const name of ["crds", "package.json"]) cpSync(join(root, name), join(checkout, name), { recursive: true });
    symlinkSync(dirname(cluster.images[0]?.file ?? ""), join(checkout, "dist/images"));
    cpSync(cluster.charts.folder, chartsFolder, { recursive: true });
    writeFileSync(join(checkout, "kubeconfig"), cluster.environment.hub.kubeconfig, { mode: 0o600 });
    const programs = [buildOracle("helm").folder, dirname(findKubectl() ?? ""), dirname(process.execPath)];
    const user = { programs, variables: { REGISTRY: place } };
    const before = createUserShell({ ...user, folder: checkout, kubeconfig: "kubeconfig" });
    shell = createUserShell({ ...user, folder: chartsFolder, kubeconfig: "../../kubeconfig" });
    let isFirst = true;
    page = createGuideCommands(blocks, substitutions, async (script) => {
      const { run } = isFirst ? before : shell;
      isFirst = false;
      return await run(script);
    });
  }, suiteMs);
  afterAll(async () => {
    await cluster?.stop();
    await registry?.stop();
    rmSync(checkout, { recursive: true, force: true });
  });

  /** What a command prints, without the end of the line; its exit code does not count. */
  const ask = async (line: string): Promise<string> => (await shell.run(line)).stdout.trim();
  const podsOf = async (): Promise<string[]> =>
    (await cluster.podsOf("landscaper"))
      .map(({ metadata }) => metadata.labels?.["app.kubernetes.io/name"] ?? "")
      .toSorted();
  const mayList = async (account: string): Promise<string> =>
    await ask(
      `kubectl auth can-i list installations.landscaper.gardener.cloud --all-namespaces --as system:serviceaccount:${systemNamespace}:${account}`,
    );

  async function create(name: string): Promise<void> {
    const { targetNamespace: namespace } = scope;
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${name}-manifest`, namespace } };
    const chart = await rawChart({
      "templates/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}-chart }\n`,
    });
    const items = [
      manifestItem({ manifests: [manifest] }),
      { ...helmItem({ namespace, config: { name, chart } }), name: "release" },
    ];
    await scope.apply(itemsInstallation(items, { name }));
  }

  async function expectInstalled(name: string): Promise<void> {
    await scope.waitForPhase(name, "Succeeded");
    for (const each of ["manifest", "chart"]) {
      expect(await scope.findOnTarget(kubeResources.configMap, `${name}-${each}`)).toBeDefined();
    }
  }

  async function expectWork(name: string): Promise<void> {
    await create(name);
    await expectInstalled(name);
  }

  it(
    "pushes the images, under the names that the charts give to the pods, and installs the services",
    async () => {
      await page.run("Before you begin");
      const printed = await page.run("Install");
      expect(printed).toContain("installations.landscaper.gardener.cloud");
      expect(await podsOf()).toEqual(services);
      const images = (
        await ask("kubectl -n landscaper-system get pods -o jsonpath='{.items[*].spec.containers[*].image}'")
      )
        .split(" ")
        .toSorted();
      // Without the command, and without what the stack leaves off.
      const names = findImages(root)
        .map(({ name }) => name)
        .filter((name) => !/^(landscaper$|landscaper-agent$|mock-deployer$|container-deployer)/.test(name));
      expect(images).toEqual(names.map((name) => `${registry.host}/landscaper/${name}:${productVersion}`).toSorted());
      for (const image of images) await ask(`skopeo inspect --tls-verify=false docker://${image}`).then(expectJson);
      scope = await cluster.environment.namespace("guide");
      await scope.apply(scope.target("target"));
      await expectWork("installed");
    },
    testMs,
  );

  it("gives users their rights in a namespace, and in no other one", async () => {
    const may = async (namespace: string): Promise<string> =>
      await ask(`kubectl auth can-i create installations -n ${namespace} --as user --as-group team-a`);
    expect(await may("default")).toBe("no");
    await page.run("Install");
    expect([await may("default"), await may("kube-public")]).toEqual(["yes", "no"]);
  });

  it(
    "works for the landscaper cluster of a kubeconfig, with its account",
    async () => {
      expect(await mayList("landscaper")).toBe("yes");
      const { client, hub } = cluster.environment;
      const token = await createAccount(cluster);
      const kubeconfig = createKubeconfig({ name: "hub", server: hub.url, ca: hub.ca, user: { token } });
      writeFileSync(join(chartsFolder, "landscaper-cluster.yaml"), kubeconfig, { mode: 0o600 });
      await page.run("A landscaper cluster of its own");
      expect(await mayList("landscaper")).toBe("no");
      const secret = await client.get(kubeResources.secret, { namespace: systemNamespace, name: "landscaper-cluster" });
      expect(Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString()).toBe(kubeconfig);
      await expectWork("elsewhere");
    },
    testMs,
  );

  it(
    "upgrades to charts of another version, and rolls back",
    async () => {
      const chartOf = async (): Promise<string> =>
        await ask(
          "kubectl -n landscaper-system get deployment landscaper -o jsonpath='{.metadata.labels.helm\\.sh/chart}'",
        );
      const first = `landscaper-${productVersion}`;
      expect(await chartOf()).toBe(first);
      expect(await page.run("Upgrade and roll back")).toContain("installations.landscaper.gardener.cloud");
      setVersion(chartsFolder, "1000.0.0");
      await page.run("Upgrade and roll back");
      expect(await chartOf()).toBe("landscaper-1000.0.0");
      await expectWork("upgraded");
      const history = await page.run("Roll back");
      expect(history).toMatch(/^3 .*deployed.*landscaper-stack-1000\.0\.0/m);
      expect(history).toContain("Rollback was a success");
      expect(await chartOf()).toBe(first);
      await expectWork("rolled-back");
    },
    testMs,
  );

  it(
    "uninstalls the services and nothing else, and the next release continues with the Installations",
    async () => {
      await page.run("Uninstall");
      expect(
        await ask("kubectl -n landscaper-system get deployments,services,configmaps,roles -l helm.sh/chart -o name"),
      ).toBe("");
      await expectInstalled("installed");
      await create("meanwhile");
      const again = createGuideCommands(blocks.slice(1), substitutions, shell.run);
      await again.run("Install");
      await expectInstalled("meanwhile");
    },
    testMs,
  );

  it(
    "stops the services for the restore of a backup, starts them again, and starts a job of every root",
    async () => {
      await page.run("Back up and restore");
      await untilGone(cluster, "landscaper");
      await page.run("Back up and restore");
      expect(await podsOf()).toEqual(services);
      const jobs = async (): Promise<(string | undefined)[]> =>
        (await scope.list(resources.installation)).map(({ status }) => status?.jobIDFinished);
      const before = await jobs();
      expect(before.length).toBeGreaterThan(4);
      await page.run("Back up and restore");
      for (const { metadata } of await scope.list(resources.installation)) {
        await scope.waitForPhase(metadata.name ?? "", "Succeeded");
      }
      expect((await jobs()).filter((job) => before.includes(job))).toEqual([]);
    },
    testMs,
  );

  it(
    "shows metrics, and makes what Prometheus and Grafana read",
    async () => {
      expect(await page.run("Monitor")).toMatch(/^landscaper_job_duration_seconds_count\{.*kind="Installation"/m);
      await shell.run("kubectl apply -f - && kubectl wait crds --all --for condition=Established", monitoringCrds());
      await page.run("Monitor");
      const made = await ask("kubectl -n landscaper-system get servicemonitors,prometheusrules -o name");
      expect(made.split("\n")).toHaveLength(2 * services.length);
      const dashboards = await ask("kubectl -n landscaper-system get configmaps -l grafana_dashboard=1 -o name");
      expect(dashboards.split("\n")).toHaveLength(services.length);
    },
    testMs,
  );

  it(
    "hardens the services, which then refuse what is not signed",
    async () => {
      await page.run("Harden");
      expect(await podsOf()).toEqual(services.flatMap((name) => [name, name]));
      // Until they have ended, Pods with the old settings may take jobs.
      const isReplaced = async (): Promise<boolean> =>
        (await ask("kubectl -n landscaper-system get pods -o name")).split("\n").length === 2 * services.length;
      await waitFor(isReplaced, { timeoutMs: 120_000 });
      expect((await ask("kubectl -n landscaper-system get networkpolicies -o name")).split("\n")).toHaveLength(
        services.length,
      );
      expect(await ask("kubectl -n landscaper-system get configmap landscaper -o yaml")).toContain(podRange);
      await create("refused");
      const { status } = await scope.waitForPhase("refused", "Failed");
      expect(status?.lastError?.message).toMatch(/^spec\.verification: expected the name of a signature/);
    },
    testMs,
  );

  it("has no other commands", () => {
    expect(page.left()).toEqual([]);
  });
});

/** The kinds of the Prometheus operator that the charts make, on a cluster without it; any content is accepted. */
function monitoringCrds(): string {
  const crds = ["ServiceMonitor", "PrometheusRule"].map((kind) => {
    const [group, singular] = ["monitoring.coreos.com", kind.toLowerCase()];
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${singular}s.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind, singular, plural: `${singular}s`, listKind: `${kind}List` },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    };
  });
  return crds.map((crd) => stringify(crd)).join("---\n");
}

function expectJson(text: string): void {
  expect(JSON.parse(text)).toMatchObject({ Architecture: machineArchitecture });
}

/** Gives the stack and its charts another version, as a later release has it; the images stay. */
function setVersion(charts: string, version: string): void {
  const stack = join(charts, "landscaper-stack");
  const below = [...services, "mock-deployer"].map((name) => join(stack, "charts", name));
  for (const file of [stack, ...below].map((folder) => join(folder, "Chart.yaml"))) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/^( *)version: .*$/gm, `$1version: ${version}`));
  }
}

/** An account outside of the release with the rights of all services; returns its token. */
async function createAccount({ environment: { client } }: ChartCluster): Promise<string> {
  const namespace = "landscaper-account";
  await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const [first, ...others] = ["landscaper", "manifest-deployer", "helm-deployer"];
  const { token } = await createLimitedAccount(client, { namespace, chart: first ?? "" });
  for (const chart of others) {
    await createLimitedAccount(client, { namespace, chart });
    const role = `${namespace}-${chart}`;
    const binding: KubeObject & Readonly<Record<string, unknown>> = {
      apiVersion: `${rbacGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: `${role}-of-${first}` },
      roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", namespace, name: first }],
    };
    await client.create(rbacType("ClusterRoleBinding"), binding);
  }
  return token;
}
