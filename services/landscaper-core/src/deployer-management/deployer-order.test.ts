// Deployers that deploy each other, with a deployer of the test for each of them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  deployItemPhases as phases,
  finalizer,
  isJobOpen,
  keyOf,
  resources,
  toTimestamp,
  type DeployItem,
  type Environment,
  type ResourceType,
} from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let agent: TestDeployer;
let namespace: TestNamespace;
/** Installations of deployers that the core has deleted, in order. */
let deletions: string[];

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  namespace = await cluster.createNamespace("ls-system");
  deletions = [];
  cluster.server.setFault(({ verb, resource, name, userAgent }) => {
    const isDeletion = userAgent === "core" && verb === "delete" && resource === "installations";
    if (isDeletion) deletions.push(name);
    return undefined;
  });
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  // Plays the helm deployer of an agent: type test/item.
  agent = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core.stop(), agent.stop()]);
  await cluster.stop();
});
afterEach(async () => {
  for (const type of [resources.environment, resources.deployerRegistration] as readonly ResourceType[]) {
    for (const { metadata } of (await cluster.client.list(type)).items) {
      await cluster.client.delete(type, { name: metadata.name ?? "" });
    }
  }
});

/** Does what a deployer of the type would do with all of its items that have a job. */
async function serve(type: string): Promise<void> {
  for (const item of await namespace.list(resources.deployItem)) {
    if (item.spec.type !== type || !isJobOpen(item.status)) continue;
    try {
      await (item.metadata.deletionTimestamp === undefined ? succeed(item) : uninstall(item));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

async function succeed(item: DeployItem): Promise<void> {
  const now = toTimestamp(new Date());
  const status = { ...item.status, phase: phases.succeeded, lastReconcileTime: now };
  await cluster.client.updateStatus(resources.deployItem, {
    ...item,
    status: { ...status, observedGeneration: 1, jobIDFinished: item.status?.jobID ?? "" },
  });
}

async function uninstall(item: DeployItem): Promise<void> {
  const { resourceVersion, finalizers = [] } = item.metadata;
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((name) => name !== finalizer) } };
  await cluster.client.patch(resources.deployItem, keyOf(item), { type: "merge", body });
}

async function until(
  name: string,
  condition: (object: Environment) => boolean,
  work: () => Promise<void> = () => Promise.resolve(),
): Promise<Environment> {
  let last: Environment | undefined;
  await waitFor(
    async () => {
      await work();
      last = await cluster.client.get(resources.environment, { name });
      return condition(last);
    },
    { describe: () => Promise.resolve(JSON.stringify(last?.status, undefined, 1)) },
  );
  if (last === undefined) throw new Error("no Environment");
  return last;
}

describe("deployers that are deployed by other deployers", () => {
  it("are installed when these are there, and uninstalled before them", async () => {
    await cluster.client.create(resources.environment, { ...environment("env"), metadata: { name: "env" } });
    const needing = registration("application", { items: [{ name: "a", type: "test/platform" }] });
    await cluster.client.create(resources.deployerRegistration, needing);
    const waiting = await until("env", ({ status }) => status?.deployers?.[0]?.waitsFor !== undefined);
    expect(waiting.status?.deployers).toEqual([
      { name: "application-env", registration: "application", phase: "Progressing", waitsFor: ["test/platform"] },
    ]);
    expect(waiting.status?.lastError).toBeUndefined();
    await cluster.client.create(resources.deployerRegistration, registration("platform"));
    await until(
      "env",
      ({ status }) => status?.succeeded === "2/2",
      async () => {
        const { status } = (await namespace.find(resources.installation, "platform-env")) ?? {};
        if (status?.phase === "Succeeded") await serve("test/platform");
      },
    );
    await cluster.client.delete(resources.environment, { name: "env" });
    await waitFor(async () => deletions.length === 1);
    expect(deletions).toEqual(["application-env"]);
    await waitFor(async () => {
      await serve("test/platform");
      return (await cluster.client.find(resources.environment, { name: "env" })) === undefined;
    });
    expect(deletions).toEqual(["application-env", "platform-env"]);
  });

  it("are told with their ring when they wait for each other, and go on when one of them is served", async () => {
    await cluster.client.create(resources.environment, { ...environment("ring"), metadata: { name: "ring" } });
    const first = registration("first", { items: [{ name: "a", type: "test/second" }] });
    const second = registration("second", { items: [{ name: "a", type: "test/first" }] });
    await cluster.client.create(resources.deployerRegistration, first);
    await cluster.client.create(resources.deployerRegistration, second);
    const stuck = await until("ring", ({ status }) => status?.phase === "Failed");
    expect(stuck.status?.lastError).toMatchObject({
      reason: "DeployersWaitInRing",
      codes: ["ERR_CYCLIC_DEPENDENCIES"],
      message:
        "deployers wait for each other to deploy them: first-ring => second-ring => first-ring; start a deployer that serves one of them by other means, such as its chart",
    });
    expect(stuck.status?.conditions?.find(({ type }) => type === "Stalled")?.status).toBe("True");
    const healed = await until(
      "ring",
      ({ status }) => status?.succeeded === "2/2",
      async () => {
        await serve("test/first");
        const { status } = await namespace.get(resources.installation, "second-ring");
        if (status?.phase === "Succeeded") await serve("test/second");
      },
    );
    expect(healed.status?.lastError).toBeUndefined();
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.metadata.annotations?.[annotations.deployerType]).toMatch(/^test\//);
    await cluster.client.delete(resources.environment, { name: "ring" });
    await waitFor(async () => {
      await serve("test/first");
      await serve("test/second");
      return (await cluster.client.find(resources.environment, { name: "ring" })) === undefined;
    });
  });
});
