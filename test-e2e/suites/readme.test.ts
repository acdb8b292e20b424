// README in a fresh clone: its shell blocks as pasted, one after the other, on the clusters of the demo, and on a cluster of the reader's own.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { stringify } from "yaml";
import { createGuideCommands, type GuideCommands } from "../charts-node/guide-commands.ts";
import { tailOf } from "../cluster/child.ts";
import { findKubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { createClone, type Clone } from "../src/examples/clone.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { openTerminal, type Terminal } from "../src/examples/terminal.ts";
import { createUserShell, type CommandResult } from "../src/examples/user-shell.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";

/** How long a newcomer needs at most from the clone to an Installation that has succeeded. */
const newcomerMs = 300_000;
const readme = readGuideExamples("../../README.md");
const first = "A first Installation";
const top = "Landscaper";
const install = "Install into a cluster";
const services = ["landscaper-core", "manifest-deployer", "helm-deployer"];
const demoBlocks = readme.blocks.filter(({ heading }) => heading === top);
const firstBlocks = readme.blocks.filter(({ heading }) => heading !== top && heading !== install);
const installBlocks = readme.blocks.filter(({ heading }) => heading === install);
/** As README says to readers with a cluster: "write `hub.yaml` for both files". */
const onOwnCluster = (script: string): string => script.replaceAll(/\.demo\/(hub|target)\.kubeconfig/g, "hub.yaml");

let clone: Clone;
beforeAll(() => {
  clone = createClone();
});
afterAll(() => clone?.dispose());

function openUserTerminal(): Terminal {
  return openTerminal(createUserShell({ folder: clone.folder, programs: [dirname(findKubectl() ?? "")] }));
}

/** Ages and names with a hash of a UID differ from run to run. */
const sameInEachRun = (text: string): string =>
  text
    .replaceAll(/ +\d+s$/gm, "")
    .replaceAll(/(?<=hello-config-)\w{8}/g, "HASH")
    .trimEnd();

async function expectFirstInstallation(page: GuideCommands): Promise<void> {
  expect(await page.run(first)).toContain("secret/my-cluster created");
  expect(await page.run(first)).toBe("installation.landscaper.gardener.cloud/hello created\n");
  expect(sameInEachRun(await page.run(first))).toBe(sameInEachRun(readme.output("first-installation")));
  expect(await page.run(first)).toContain('"hello" deleted');
}

// plan-run.ts leaves this suite out, and says so, where there is no kubectl.
describe("README on the clusters of its demo", () => {
  const terminals: Terminal[] = [];
  afterAll(async () => {
    await Promise.all(terminals.map(async (terminal) => terminal.close()));
  });

  it(
    "shows its demo, and its first Installation reaches Succeeded, within five minutes after the clone",
    async () => {
      const [server, user] = [openUserTerminal(), openUserTerminal()];
      terminals.push(server, user);
      const demo = createGuideCommands(demoBlocks, [], async (script) => await user.run(script));
      expect(await demo.run(top)).toMatch(/^Installation shop +Succeeded/m);
      const page = createGuideCommands(firstBlocks, [], async (script) => await runInDemo(script, { server, user }));
      await page.run(first);
      await expectFirstInstallation(page);
      expect([...demo.left(), ...page.left()]).toEqual([]);
    },
    newcomerMs,
  );

  it("ends with its terminal", async () => {
    await Promise.all(terminals.splice(0).map(async (terminal) => terminal.close()));
    const kubeconfig = join(clone.folder, ".demo/hub.kubeconfig");
    const [, server = ""] = /server: (\S+)/.exec(readFileSync(kubeconfig, "utf8")) ?? [];
    await expect(fetch(server)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });
});

/** The terminal that the reader leaves open has the demo; every other block runs in the second one. */
async function runInDemo(
  script: string,
  { server, user }: { readonly server: Terminal; readonly user: Terminal },
): Promise<CommandResult> {
  if (!script.startsWith("npm run demo")) return await user.run(script);
  await server.startUntil(script, /Both clusters stay up until Ctrl-C/);
  return { status: 0, stdout: "", stderr: "" };
}

describe.each(clustersUnderTest())("README on a cluster of the reader's own: %s", (cluster) => {
  let hub: TestCluster;
  let terminal: Terminal;
  let installing: GuideCommands;
  let page: GuideCommands;

  beforeAll(async () => {
    hub = await startTestCluster(cluster, { api: false });
    writeFileSync(join(clone.folder, "hub.yaml"), hub.kubeconfig, { mode: 0o600 });
    terminal = openUserTerminal();
    installing = createGuideCommands(installBlocks, [], async (script) => await terminal.run(script));
    page = createGuideCommands(firstBlocks.slice(1), [], async (script) => await terminal.run(onOwnCluster(script)));
  });
  afterAll(async () => {
    // A cluster of the user's outlives us.
    if (process.env["KUBECONFIG_E2E"] !== undefined) await terminal.run("kubectl delete namespace ls-system");
    await terminal?.close();
    await hub?.stop();
  });

  const greetingOf = async (name: string): Promise<string | undefined> =>
    (await hub.client.find(kubeResources.configMap, { namespace: "default", name }))?.data?.["greeting"];

  /** The ends of the services' logs, for what fails. */
  function describeServices(): string {
    const logs = services.map((name) => join(clone.folder, `${name}.log`));
    return logs.map((file) => `--- ${file}\n${existsSync(file) ? tailOf(file) : "(no such file)"}`).join("\n");
  }

  it("puts the API into the cluster and builds the services", async () => {
    const printed = await installing.run(install);
    expect(printed).toContain("customresourcedefinition.apiextensions.k8s.io/installations.landscaper.gardener.cloud");
    expect(printed).toContain("namespace/ls-system created");
    expect(printed).toContain("dist/helm-deployer.mjs");
  });

  it("starts core, manifest deployer and helm deployer", async () => {
    await installing.run(install);
    const leases = await waitFor(
      async () => {
        const { items } = await hub.client.list(kubeResources.lease, { namespace: "ls-system" });
        return items.length >= 2 ? items : undefined;
      },
      { timeoutMs: 60_000, describe: describeServices },
    );
    expect(leases).toHaveLength(2);
    expect((await terminal.run("jobs -r")).stdout.trim().split("\n")).toHaveLength(services.length);
  });

  it("has its first Installation reach Succeeded, and removes it", async () => {
    await expectFirstInstallation(page).catch((error: unknown) => {
      throw new Error(describeServices(), { cause: error });
    });
    expect(page.left()).toEqual([]);
    expect(await greetingOf("hello")).toBeUndefined();
  });

  it("deploys a chart by its helm deployer, and removes it", async () => {
    const chart = await rawChart({
      "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data: { greeting: {{ .Values.greeting | quote }} }
`,
    });
    const item = helmItem({ namespace: "default", config: { chart, values: { greeting: "ahoy" } } });
    const target = { namespace: "default", name: "chart-target" };
    const objects = [hubTarget(target), itemsInstallation([item], { name: "chart", target: target.name })];
    writeFileSync(join(clone.folder, "chart.yaml"), objects.map((each) => stringify(each)).join("---\n"));
    await terminal.run("kubectl apply -f chart.yaml");
    await waitFor(
      async () => {
        const { status } = await hub.client.get(resources.installation, { namespace: "default", name: "chart" });
        return status?.phase === "Succeeded";
      },
      { timeoutMs: 60_000, describe: describeServices },
    );
    expect(await greetingOf("app-map")).toBe("ahoy");
    await terminal.run("kubectl delete installation chart --timeout=60s && kubectl delete target chart-target");
    expect(await greetingOf("app-map")).toBeUndefined();
  }, 150_000);

  it("ends the services, and has no other commands", async () => {
    await installing.run(install);
    await terminal.run("wait");
    expect((await terminal.run("jobs -r")).stdout).toBe("");
    expect([...installing.left(), ...page.left()]).toEqual([]);
  });

  /** A Target with the kubeconfig of the hub in it. */
  function hubTarget({ namespace, name }: { readonly namespace: string; readonly name: string }) {
    return {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { namespace, name },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: hub.kubeconfig } },
    };
  }
});
