// Pastes the shell blocks of README in a fresh clone, in their order, on the clusters of the demo and on the reader's own cluster.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { stringify } from "yaml";
import { buildCacheFolder } from "../../scripts/bundle/bundle-cache.ts";
import { createGuideCommands, type GuideCommands } from "../charts-node/guide-commands.ts";
import { tailOf } from "../cluster/child.ts";
import { findKubectl } from "../src/clients/kubectl.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { createClone, type Clone } from "../src/examples/clone.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { openTerminal, type Terminal } from "../src/examples/terminal.ts";
import { createUserShell, type CommandResult } from "../src/examples/user-shell.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";

/** Upper bound of the time from the clone to an Installation that has succeeded. */
const newcomerMs = 300_000;
const readme = readGuideExamples("../../README.md");
const first = "A first Installation";
const top = "Landscaper";
const install = "Install into a cluster";
const services = ["landscaper-core", "manifest-deployer", "helm-deployer"];
const demoBlocks = readme.blocks.filter(({ heading }) => heading === top);
const firstBlocks = readme.blocks.filter(({ heading }) => heading !== top && heading !== install);
const installBlocks = readme.blocks.filter(({ heading }) => heading === install);
/** Follows README's instruction for readers with a cluster: "write `hub.yaml` for both files". */
const onOwnCluster = (script: string): string => script.replaceAll(/\.demo\/(hub|target)\.kubeconfig/g, "hub.yaml");

let clone: Clone;
beforeAll(() => {
  clone = createClone();
});
afterAll(() => clone?.dispose());

function openUserTerminal(): Terminal {
  const programs = [dirname(findKubectl() ?? "")];
  // HOME is the clone, so the default cache folder would be empty, and the build would take half a minute.
  const variables = { LANDSCAPER_BUILD_CACHE: buildCacheFolder() };
  return openTerminal(createUserShell({ folder: clone.folder, programs, variables }));
}

/** Removes the parts that differ between runs: ages and hashes of UIDs. */
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

// plan-run.ts skips this suite with the reason if kubectl is missing.
describe("README on the clusters of its demo", () => {
  const terminals: Terminal[] = [];
  afterAll(async () => {
    await Promise.all(terminals.map(async (terminal) => terminal.close()));
  });

  it(
    "runs its demo, and its first Installation reaches Succeeded within five minutes after the clone",
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

  it("stops the clusters when the terminal is closed", async () => {
    await Promise.all(terminals.splice(0).map(async (terminal) => terminal.close()));
    const kubeconfig = join(clone.folder, ".demo/hub.kubeconfig");
    const [, server = ""] = /server: (\S+)/.exec(readFileSync(kubeconfig, "utf8")) ?? [];
    await expect(fetch(server)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    await waitFor(() => listProcessesOf(clone.folder).length === 0);
  });

  it("leaves no process when its output has no reader any more", async () => {
    // npm prints four lines first.
    const terminal = openUserTerminal();
    terminals.push(terminal);
    const { stdout } = await terminal.run("npm run demo 2> demo.err | head -n 6");
    expect(stdout).toContain("scripts/demo.ts");
    await waitFor(() => listProcessesOf(clone.folder).length === 0);
    expect(readFileSync(join(clone.folder, "demo.err"), "utf8")).not.toContain("EPIPE");
  });
});

/** Returns "" if the process has ended. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Returns the command lines of running processes that name the folder. */
function listProcessesOf(folder: string): readonly string[] {
  return globSync("/proc/[0-9]*/cmdline")
    .map(readIfThere)
    .filter((words) => words.includes(`${folder}/`));
}

/** Runs the demo in the terminal that the reader leaves open, and every other block in the second terminal. */
async function runInDemo(
  script: string,
  { server, user }: { readonly server: Terminal; readonly user: Terminal },
): Promise<CommandResult> {
  if (!script.startsWith("npm run demo")) return await user.run(script);
  await server.startUntil(script, /Both clusters stay up until Ctrl-C/);
  return { status: 0, stdout: "", stderr: "" };
}

describe.each(clustersForClients("readme"))("README on a cluster of the reader's own: %s", (cluster) => {
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
    // The user's cluster outlives this suite.
    if (process.env["KUBECONFIG_E2E"] !== undefined) await terminal.run("kubectl delete namespace ls-system");
    await terminal?.close();
    await hub?.stop();
  });

  const greetingOf = async (name: string): Promise<string | undefined> =>
    (await hub.client.find(kubeResources.configMap, { namespace: "default", name }))?.data?.["greeting"];

  /** Returns the tails of the services' logs, for failures. */
  function describeServices(): string {
    const logs = services.map((name) => join(clone.folder, `${name}.log`));
    return logs.map((file) => `--- ${file}\n${existsSync(file) ? tailOf(file) : "(no such file)"}`).join("\n");
  }

  it("creates the CRDs in the cluster and builds the services", async () => {
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
      { describe: describeServices },
    );
    expect(leases).toHaveLength(2);
    expect((await terminal.run("jobs -r")).stdout.trim().split("\n")).toHaveLength(services.length);
  });

  it("brings its first Installation to Succeeded, and deletes it", async () => {
    await expectFirstInstallation(page).catch((error: unknown) => {
      throw new Error(describeServices(), { cause: error });
    });
    expect(page.left()).toEqual([]);
    expect(await greetingOf("hello")).toBeUndefined();
  });

  it("deploys a chart with its helm deployer, and deletes it", async () => {
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
      { describe: describeServices },
    );
    expect(await greetingOf("app-map")).toBe("ahoy");
    await terminal.run("kubectl delete installation chart --timeout=60s && kubectl delete target chart-target");
    expect(await greetingOf("app-map")).toBeUndefined();
  }, 150_000);

  it("stops the services, and has no further commands", async () => {
    await installing.run(install);
    await terminal.run("wait");
    expect((await terminal.run("jobs -r")).stdout).toBe("");
    expect([...installing.left(), ...page.left()]).toEqual([]);
  });

  /** Returns a Target that contains the kubeconfig of the hub. */
  function hubTarget({ namespace, name }: { readonly namespace: string; readonly name: string }) {
    return {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { namespace, name },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: hub.kubeconfig } },
    };
  }
});
