// The selectors that agents give their Environments by default overlap: Targets without an annotation are selected by all of them.
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  kubernetesClusterTargetType,
  resources,
  type DeployItem,
  type Target,
  type TargetSelector,
} from "@landscaper/api";
import { createManager } from "@landscaper/controller-runtime";
import { addDeployer, type Deployer } from "@landscaper/deployer";
import {
  createTestLogger,
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";
import { deployItems, installation, targetParameter } from "../../test/objects.ts";

const type = "example.org/overlap";
const itemsPerInstallation = 25;
const names = ["one", "two"];

let cluster: EmbeddedCluster;
let core: TestCore;
let agents: TestDeployer;
let tenant: TestNamespace;
const stop = new AbortController();
const running: Promise<unknown>[] = [];
/** "identity item", one for each pass. */
const work: string[] = [];

function deployerOf(identity: string): Deployer {
  return {
    type,
    name: "overlap.deployer",
    version: "v1",
    parseConfig: (value) => value,
    reconcile: ({ item }) => {
      work.push(`${identity} ${item.metadata.name}`);
      return Promise.resolve({ type: "succeeded" });
    },
    delete: () => Promise.resolve("done"),
    preview: () => Promise.resolve({ summary: "", text: "", changes: [] }),
  };
}

/** As the chart of a deployer starts it, with the values that its Installation has got. */
async function startFor(name: string): Promise<void> {
  const key = { namespace: "ls-system", name: `mock-${name}` };
  const { importDataMappings } = (await cluster.client.get(resources.installation, key)).spec;
  const client = cluster.connect(name);
  const manager = createManager({ name, client, log: createTestLogger() });
  const identity = String(importDataMappings?.["identity"]);
  const added = addDeployer(manager, {
    deployer: deployerOf(identity),
    identity,
    targetSelectors: importDataMappings?.["targetSelectors"] as TargetSelector[], // as an Environment has them
    self: cluster.connection,
    replica: { pod: `${name}-0` },
  });
  running.push(manager.start(stop.signal).then(() => added.close()));
}

function targetOf(name: string, own: Record<string, string>): Target {
  const config = { kubeconfig: cluster.server.kubeconfig };
  const metadata = { name, annotations: own };
  return { apiVersion, kind: "Target", metadata, spec: { type: kubernetesClusterTargetType, config } };
}

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  await cluster.createNamespace("ls-system");
  tenant = await cluster.createNamespace("tenant");
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  agents = startTestDeployer(cluster.connect("deployer"));
  for (const name of names) await cluster.client.create(resources.environment, environment(name));
  await cluster.client.create(resources.deployerRegistration, registration("mock", { types: [type] }));
  let states: unknown;
  await waitFor(
    async () => {
      const { items } = await cluster.client.list(resources.environment);
      states = items.map(({ status }) => status);
      return items.every(({ status }) => status?.succeeded === "1/1");
    },
    { describe: () => Promise.resolve(`${JSON.stringify(states, undefined, 1)}\n${core.log.text}`) },
  );
  await Promise.all(names.map(startFor));
});
afterAll(async () => {
  stop.abort(new Error("stop"));
  await Promise.all([...running, core.stop(), agents.stop()]);
  await cluster.stop();
});

/** Which deployers have run the items of an Installation on the Target, each with how many. */
async function runOn(target: string): Promise<Record<string, number>> {
  const items = Array.from({ length: itemsPerInstallation }, (_, index) => ({
    name: `i${index}`,
    type,
    target: { import: "cluster" },
  }));
  const imports = [{ ...targetParameter("cluster"), targetType: kubernetesClusterTargetType }];
  const blueprint = { imports, deploy: deployItems(...items) };
  const given = { targets: [{ name: "cluster", target }] };
  await tenant.create(resources.installation, installation({ name: target, blueprint, imports: given }));
  await tenant.untilPhase(target, "Succeeded");
  const own = await tenant.list<DeployItem>(
    resources.deployItem,
    `execution.landscaper.gardener.cloud/managed-by=${target}`,
  );
  const passes = own.flatMap(({ metadata }) => work.filter((line) => line.endsWith(` ${metadata.name}`)));
  expect(new Set(passes.map((line) => line.split(" ")[1])).size).toBe(itemsPerInstallation);
  const counts: Record<string, number> = {};
  for (const [identity = ""] of passes.map((line) => line.split(" "))) counts[identity] = (counts[identity] ?? 0) + 1;
  return counts;
}

it("deployers of two Environments never both run a job on a Target that both select", async () => {
  await tenant.create(resources.target, targetOf("free", {}));
  const counts = await runOn("free");
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(itemsPerInstallation);
});

it("a Target that is annotated with an Environment is that Environment's alone", async () => {
  await tenant.create(resources.target, targetOf("annotated", { [annotations.environment]: "two" }));
  expect(await runOn("annotated")).toEqual({ "mock-two": itemsPerInstallation });
});
