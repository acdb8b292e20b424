// README's installation and its first Installation: the commands and the objects as they stand there.
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { waitFor, createKubeconfig } from "@landscaper/testkit";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { stringify } from "yaml";
import type { Child } from "../cluster/child.ts";
import { tailOf } from "../cluster/child.ts";
import type { Checkout } from "../src/examples/checkout.ts";
import { createCheckout } from "../src/examples/checkout.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { findKubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { startTestCluster } from "../src/clusters/test-cluster.ts";

const readme = readGuideExamples("../../README.md");
const namespace = "default";
const [installBlock = []] = readme.commands("Install into a cluster");
const [secretBlock = [], lookBlock = []] = readme.commands("A first Installation");
/** These do not end; a user gives each a terminal. */
const serviceLines = installBlock.filter((line) => line.startsWith("node "));
const setupLines = installBlock.filter((line) => !serviceLines.includes(line));

const chart = {
  "values.yaml": "greeting: none\n",
  "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data: { greeting: {{ .Values.greeting | quote }} }
`,
};

// plan-run.ts leaves this suite out, and says so, where there is no kubectl.
describe.each(clustersUnderTest())("README on %s", (cluster) => {
  let hub: TestCluster;
  let checkout: Checkout;
  let services: readonly Child[] = [];

  beforeAll(async () => {
    hub = await startTestCluster(cluster, { api: false });
    checkout = createCheckout({ programs: dirname(findKubectl() ?? ""), kubeconfig: "hub.yaml" });
    checkout.write("hub.yaml", hub.kubeconfig);
    const user = { token: hub.token };
    checkout.write("target.yaml", createKubeconfig({ name: "target", server: hub.url, ca: hub.ca, user }));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(services.map(async (service) => service.stop()));
    // A cluster of the user's outlives us.
    const made = "namespace/ls-system secret/my-cluster targets/my-cluster";
    if (process.env["KUBECONFIG_E2E"] !== undefined) await run([`kubectl delete --ignore-not-found ${made}`]);
    checkout.dispose();
    await hub.stop();
  });

  async function run(lines: readonly string[], stdin?: string): Promise<string> {
    const { status, stdout, stderr } = await checkout.run(lines.join("\n"), stdin);
    if (status !== 0) throw new Error(`exit code ${status} of\n${lines.join("\n")}\n${stdout}${stderr}`);
    return stdout;
  }

  async function waitForEnd(name: string): Promise<readonly unknown[]> {
    const ended = await waitFor(
      async () => {
        const found = await hub.client.get(resources.installation, { namespace, name });
        return found.status?.jobIDFinished === undefined ? undefined : found;
      },
      { timeoutMs: 60_000 },
    ).catch((error: unknown) => {
      throw new Error(services.map((each) => `--- ${each.name}\n${tailOf(each.logFile)}`).join("\n"), { cause: error });
    });
    return [ended.status?.phase, ended.status?.lastError];
  }

  const greetingOf = async (name: string): Promise<string | undefined> =>
    (await hub.client.find(kubeResources.configMap, { namespace, name }))?.data?.["greeting"];

  it("puts the API into the cluster and builds the services by the commands of its install block", async () => {
    const printed = await run(setupLines);
    expect(printed).toContain("customresourcedefinition.apiextensions.k8s.io/installations.landscaper.gardener.cloud");
    expect(printed).toContain("namespace/ls-system created");
    expect(printed).toContain("dist/helm-deployer.mjs");
  });

  it("starts core, manifest deployer and helm deployer by the commands of its install block", async () => {
    const names = serviceLines.map((line) => /dist\/(\S+)\.mjs/.exec(line)?.[1] ?? line);
    expect(names).toEqual(["landscaper-core", "manifest-deployer", "helm-deployer"]);
    const exports = setupLines.filter((line) => line.startsWith("export "));
    services = serviceLines.map((line, index) => checkout.start(names[index] ?? "", [...exports, line]));
    const leases = await waitFor(
      async () => {
        const { items } = await hub.client.list(kubeResources.lease, { namespace: "ls-system" });
        return items.length >= 2 || services.some(({ ended }) => ended !== undefined) ? items : undefined;
      },
      { timeoutMs: 60_000 },
    );
    expect(services.map(({ name, ended, logFile }) => ended && `${name}: ${ended}\n${tailOf(logFile)}`)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(leases).toHaveLength(2);
  });

  it("has its first Installation reach Succeeded, and its commands show that", async () => {
    expect(await run(secretBlock)).toBe("secret/my-cluster created\n");
    for (const example of ["first-target", "first-installation"]) {
      await run(
        ["kubectl apply -f -"],
        readme
          .load(example)
          .map((each) => stringify(each))
          .join("---\n"),
      );
    }
    expect(await waitForEnd("hello")).toEqual(["Succeeded", undefined]);
    expect(await greetingOf("hello")).toBe("hello");
    const printed = await run(lookBlock);
    expect(printed).toMatch(/^Installation hello +Succeeded/m);
    expect(printed).toContain("installation.landscaper.gardener.cloud/hello condition met");
  });

  it("deploys a chart by its helm deployer", async () => {
    const item = helmItem({ namespace, config: { chart: await rawChart(chart), values: { greeting: "ahoy" } } });
    await run(["kubectl apply -f -"], stringify(itemsInstallation([item], { name: "chart", target: "my-cluster" })));
    expect(await waitForEnd("chart")).toEqual(["Succeeded", undefined]);
    expect(await greetingOf("app-map")).toBe("ahoy");
  });

  it("takes away again what it has installed", async () => {
    await run(["kubectl delete installation hello chart --timeout=60s"]);
    expect([await greetingOf("hello"), await greetingOf("app-map")]).toEqual([undefined, undefined]);
    expect(services.map(({ ended }) => ended)).toEqual([undefined, undefined, undefined]);
  });
});
