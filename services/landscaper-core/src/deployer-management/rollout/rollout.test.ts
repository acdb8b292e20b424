// A change of a registration goes out in steps, on an API server.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  resources,
  type DeployerRegistration,
  type DeployerRollout,
  type Environment,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestItemConfig,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { environment, managementSettings, registration } from "../../../test/deployer-management.ts";

const namespace = "ls-system";
let cluster: EmbeddedCluster;
let core: TestCore;
let deployer: TestDeployer;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  await cluster.createNamespace(namespace);
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await cluster.stop();
});

async function until<T extends KubeObject>(
  type: ResourceType<T>,
  name: string,
  condition: (object: T | undefined) => boolean,
): Promise<T | undefined> {
  let last: T | undefined;
  await waitFor(
    async () => {
      last = await cluster.client.find(type, { name });
      return condition(last);
    },
    { describe: () => Promise.resolve(JSON.stringify(last, undefined, 1) ?? "none") },
  );
  return last;
}

const untilRegistration = (name: string, condition: (status: DeployerRegistration["status"]) => boolean) =>
  until(resources.deployerRegistration, name, (object) => condition(object?.status));

interface Change {
  readonly version: string;
  readonly rollout?: DeployerRollout;
  readonly result?: TestItemConfig["result"];
}

function registrationOf(name: string, { version, rollout, result = "Succeeded" }: Change): DeployerRegistration {
  const object = registration(name, { version, items: [{ name: "deployer", result }] });
  return { ...object, spec: { ...object.spec, ...(rollout === undefined ? {} : { rollout }) } };
}

/** Gives a registration another specification. */
async function change(name: string, wanted: Change): Promise<void> {
  const body = { spec: registrationOf(name, wanted).spec };
  await cluster.client.patch(resources.deployerRegistration, { name }, { type: "merge", body });
}

/** The version of the deployer in each Environment, in their order; "none" where it is not. */
async function versionsOf(name: string, environments: readonly string[]): Promise<string> {
  const found = await Promise.all(
    environments.map(async (at) => {
      const installation = await cluster.client.find(resources.installation, { namespace, name: `${name}-${at}` });
      const files = installation?.spec.blueprint.inline?.filesystem as { readonly version?: string } | undefined;
      return files?.version ?? "none";
    }),
  );
  return found.join(" ");
}

/** Ends the item of a deployer that hangs. */
async function finishDeployer(name: string): Promise<void> {
  const items = async () =>
    (await cluster.client.list(resources.deployItem, { namespace })).items.filter(
      ({ metadata, status }) =>
        metadata.name?.startsWith(`${name}-`) === true &&
        status?.phase === "Init" &&
        status.jobID !== status.jobIDFinished,
    );
  await waitFor(async () => (await items()).length > 0);
  for (const item of await items()) {
    const status = { ...item.status, phase: "Succeeded", jobIDFinished: item.status?.jobID ?? "" };
    await cluster.client.updateStatus(resources.deployItem, { ...item, status });
  }
}

async function createEnvironments(names: readonly string[], spec: Partial<Environment["spec"]> = {}): Promise<void> {
  for (const name of names) await cluster.client.create(resources.environment, environment(name, spec));
}

async function removeAll(name: string, environments: readonly string[]): Promise<void> {
  await cluster.client.delete(resources.deployerRegistration, { name });
  await until(resources.deployerRegistration, name, (object) => object === undefined);
  for (const at of environments) {
    await cluster.client.delete(resources.environment, { name: at });
    await until(resources.environment, at, (object) => object?.metadata.finalizers?.join(",") === agentFinalizer);
    const body = { metadata: { finalizers: [] } };
    await cluster.client.patch(resources.environment, { name: at }, { type: "merge", body });
  }
}

describe("a registration with a rollout", () => {
  const environments = ["a", "b", "c", "d"];

  it("changes its canary first, and the others as many at once as it may", async () => {
    await createEnvironments(environments);
    await cluster.client.create(resources.deployerRegistration, registrationOf("steps", { version: "v1" }));
    await untilRegistration("steps", (status) => status?.environments?.succeeded === 4);
    const rollout: DeployerRollout = { maxUnavailable: 2, canary: ["c"] };
    await change("steps", { version: "v2", rollout, result: "Hang" });
    await untilRegistration("steps", (status) => status?.rollout?.updated === 1);
    expect(await versionsOf("steps", environments)).toBe("v1 v1 v2 v1");
    await finishDeployer("steps-c");
    const second = await untilRegistration("steps", (status) => status?.rollout?.updated === 3);
    expect(await versionsOf("steps", environments)).toBe("v2 v2 v2 v1");
    expect(second?.status?.rollout).toEqual({
      updated: 3,
      environments: ["a", "b"],
      waitsFor: "Environments in work: a, b",
    });
    expect(second?.status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      status: "False",
      message: expect.stringContaining("3 are up to date, the others wait for Environments in work: a, b"),
    });
    const waiting = await cluster.client.get(resources.environment, { name: "d" });
    expect(waiting.status?.deployers).toMatchObject([
      {
        phase: "Succeeded",
        message: "a change of the registration has not been rolled out to this Environment yet",
      },
    ]);
    await finishDeployer("steps-b");
    await untilRegistration("steps", (status) => status?.rollout?.updated === 4);
    await finishDeployer("steps-a");
    await finishDeployer("steps-d");
    const last = await untilRegistration("steps", (status) => status?.environments?.succeeded === 4);
    expect(last?.status?.rollout).toEqual({ updated: 4, environments: [] });
  });

  it("pauses after a failure until the registration is mended", async () => {
    const rollout: DeployerRollout = { maxUnavailable: 2, canary: ["b"] };
    await change("steps", { version: "v3", rollout, result: "Failed" });
    const paused = await untilRegistration("steps", (status) => status?.rollout?.waitsFor?.includes("failed") === true);
    expect(paused?.status?.rollout?.waitsFor).toBe("the Environments in which the change has failed: b");
    expect(await versionsOf("steps", environments)).toBe("v2 v3 v2 v2");
    await change("steps", { version: "v4", rollout });
    await untilRegistration(
      "steps",
      (status) => status?.rollout?.updated === 4 && status.environments?.succeeded === 4,
    );
    expect(await versionsOf("steps", environments)).toBe("v4 v4 v4 v4");
    await removeAll("steps", environments);
  });
});

describe("a suspended Environment", () => {
  it("keeps its deployers as they are until it is resumed", async () => {
    await createEnvironments(["s"]);
    for (const name of ["kept", "gone"]) {
      await cluster.client.create(resources.deployerRegistration, registrationOf(name, { version: "v1" }));
    }
    await until(resources.environment, "s", (object) => object?.status?.succeeded === "2/2");
    const suspend = (value: boolean) =>
      cluster.client.patch(resources.environment, { name: "s" }, { type: "merge", body: { spec: { suspend: value } } });
    await suspend(true);
    await until(
      resources.environment,
      "s",
      (object) => object?.status?.deployers?.every(({ message }) => message?.includes("suspended")) === true,
    );
    await change("kept", { version: "v2" });
    await cluster.client.create(resources.deployerRegistration, registrationOf("new", { version: "v1" }));
    await cluster.client.delete(resources.deployerRegistration, { name: "gone" });
    // The registration that came last is seen: so are those before it.
    await until(resources.environment, "s", (object) => object?.status?.succeeded === "2/3");
    expect(await versionsOf("kept", ["s"])).toBe("v1");
    expect(await versionsOf("new", ["s"])).toBe("none");
    expect(await versionsOf("gone", ["s"])).toBe("v1");
    await suspend(false);
    await until(resources.environment, "s", (object) => object?.status?.succeeded === "2/2");
    await waitFor(async () => (await versionsOf("kept", ["s"])) === "v2");
    expect(await versionsOf("new", ["s"])).toBe("v1");
    await until(resources.deployerRegistration, "gone", (object) => object === undefined);
  });
});
