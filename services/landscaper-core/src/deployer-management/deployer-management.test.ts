import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  annotations,
  deployerManagementFinalizer,
  finalizer,
  kubeResources,
  labels,
  resources,
  type DeployerRegistration,
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
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { defaultSelectors, environment, managementSettings, registration } from "../../test/deployer-management.ts";
import { dataObject } from "../../test/objects.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let deployer: TestDeployer;
let namespace: TestNamespace;
/** Writes of the core, as "verb resource name". */
let writes: string[];

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  namespace = await cluster.createNamespace("ls-system");
  writes = [];
  cluster.server.setFault(({ verb, resource, name, userAgent }) => {
    const isWrite = !["get", "list", "watch"].includes(verb) && resource !== "events";
    if (userAgent === "core" && isWrite) writes.push(`${verb} ${resource} ${name}`);
    return undefined;
  });
  core = startTestCore(cluster.connect("core"), { deployerManagement: managementSettings });
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await cluster.stop();
});

const { environment: environmentType, deployerRegistration: registrationType } = resources;

async function create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<void> {
  await cluster.client.create(type, object);
}

/** Waits until an object of the cluster is as expected. */
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

const untilPhase = (name: string, phase: string): Promise<Environment | undefined> =>
  until(environmentType, name, (object) => object?.status?.phase === phase);

/** Everything that is made for one deployer, by kind. */
async function listMade(name: string): Promise<string[]> {
  const places: [ResourceType, string | undefined][] = [
    [resources.installation, "ls-system"],
    [resources.target, "ls-system"],
    [kubeResources.roleBinding, "ls-system"],
    [kubeResources.clusterRoleBinding, undefined],
  ];
  const found = await Promise.all(
    places.map(async ([type, at]) => ((await cluster.client.find(type, { namespace: at, name })) ? [type.kind] : [])),
  );
  const { items } = await cluster.client.list(kubeResources.serviceAccount, { namespace: "ls-system" });
  const accounts = items.filter(
    ({ metadata }) =>
      `${metadata.labels?.[labels.deployerRegistration]}-${metadata.labels?.[labels.deployerEnvironment]}` === name,
  );
  return [...found.flat(), ...accounts.map(() => "ServiceAccount")];
}

const everything = ["Installation", "Target", "RoleBinding", "ClusterRoleBinding", "ServiceAccount"];

async function untilNothing(name: string): Promise<void> {
  await waitFor(async () => (await listMade(name)).length === 0);
}

/** Removes an Environment as an agent and its operator do. */
async function removeEnvironment(name: string): Promise<void> {
  await cluster.client.delete(environmentType, { name });
  const lingering = await until(
    environmentType,
    name,
    (object) => object?.metadata.finalizers?.includes(deployerManagementFinalizer) !== true,
  );
  expect(lingering?.metadata.finalizers).toEqual([agentFinalizer]);
  const body = { metadata: { finalizers: [] } };
  await cluster.client.patch(environmentType, { name }, { type: "merge", body });
  await until(environmentType, name, (object) => object === undefined);
}

async function removeRegistration(name: string): Promise<void> {
  await cluster.client.delete(registrationType, { name });
  await until(registrationType, name, (object) => object === undefined);
}

describe("a deployer of an Environment", () => {
  it("has an Installation, an account, rights and a Target, all of its name, and is installed", async () => {
    await create(environmentType, environment("env"));
    await create(registrationType, registration("mock"));
    const ready = await untilPhase("env", "Succeeded");
    expect(await listMade("mock-env")).toEqual(everything);
    const installation = await namespace.get(resources.installation, "mock-env");
    expect(installation.metadata.labels).toEqual({
      [labels.deployerRegistration]: "mock",
      [labels.deployerEnvironment]: "env",
    });
    expect(installation.metadata.finalizers?.toSorted()).toEqual([deployerManagementFinalizer, finalizer].toSorted());
    expect(installation.spec).toEqual({
      context: "default",
      blueprint: registration("mock").spec.installationTemplate.blueprint,
      imports: {
        targets: [
          { name: "cluster", target: "#env" },
          { name: "landscaperCluster", target: "#mock-env" },
        ],
      },
      importDataMappings: {
        releaseName: "mock-env",
        releaseNamespace: "deployers",
        identity: "mock-env",
        targetSelectors: defaultSelectors("env"),
      },
      automaticReconcile: { failedReconcile: {} },
    });
    expect(ready?.status).toMatchObject({
      succeeded: "1/1",
      deployers: [{ name: "mock-env", registration: "mock", phase: "Succeeded" }],
      conditions: [
        { type: "Ready", status: "True", reason: "DeployersReady", message: "all deployers have succeeded" },
        { type: "Reconciling", status: "False" },
        { type: "Stalled", status: "False" },
        { type: "ReadsAllNamespaces", status: "True", reason: "NoNamespacesNamed" },
      ],
    });
    const host = await namespace.get(resources.target, "env");
    expect(host.metadata.annotations).toEqual({ [annotations.environment]: "env" });
    expect(host.spec).toEqual({
      type: "landscaper.gardener.cloud/kubernetes-cluster",
      config: { kubeconfig: { secretRef: { key: "kubeconfig", name: "env-target-access", namespace: "host" } } },
    });
  });

  it("is counted in the status of its registration", async () => {
    const found = await until(registrationType, "mock", (object) => object?.status?.environments?.succeeded === 1);
    expect(found?.status).toMatchObject({
      environments: { total: 1, succeeded: 1, progressing: 0, failed: 0, deleting: 0 },
      conditions: [{ type: "Ready", status: "True" }, { type: "Reconciling" }, { type: "Stalled", status: "False" }],
    });
    expect(found?.metadata.finalizers).toEqual([deployerManagementFinalizer]);
  });

  it("gets nothing written when nothing has changed", async () => {
    const before = writes.length;
    await cluster.client.patch(
      environmentType,
      { name: "env" },
      {
        type: "merge",
        body: { metadata: { labels: { touched: "true" } } },
      },
    );
    // A deployer that comes later is written after everything that the touch has caused.
    await create(registrationType, registration("later"));
    await until(environmentType, "env", (object) => object?.status?.succeeded === "2/2");
    const touching = writes.slice(before).filter((write) => write.includes("mock-env"));
    expect(touching).toEqual([]);
    await removeRegistration("later");
    await untilNothing("later-env");
  });

  it("follows changes of its registration and of its Environment", async () => {
    const changed = registration("mock", { version: "v2", mappings: { values: { a: 1 } } });
    const replace = { type: "merge" as const, body: { spec: changed.spec } };
    await cluster.client.patch<DeployerRegistration>(registrationType, { name: "mock" }, replace);
    await cluster.client.patch(
      environmentType,
      { name: "env" },
      { type: "merge", body: { spec: { namespace: "moved" } } },
    );
    const installation = await namespace.until(resources.installation, "mock-env", (object) => {
      const { status, metadata } = object ?? {};
      const isDone = status?.observedGeneration === metadata?.generation && status?.phase === "Succeeded";
      return isDone && object?.spec.importDataMappings?.["releaseNamespace"] === "moved";
    });
    expect(installation?.spec.importDataMappings).toMatchObject({ values: { a: 1 }, releaseNamespace: "moved" });
    expect(installation?.spec.blueprint).toEqual(changed.spec.installationTemplate.blueprint);
  });

  it("keeps target selectors of its registration", async () => {
    const own = [{ labels: [{ key: "zone", operator: "exists" }] }];
    await create(registrationType, registration("choosy", { mappings: { targetSelectors: own, identity: "ignored" } }));
    const found = await namespace.until(resources.installation, "choosy-env", (object) => object !== undefined);
    expect(found?.spec.importDataMappings).toMatchObject({ targetSelectors: own, identity: "choosy-env" });
    await removeRegistration("choosy");
    await untilNothing("choosy-env");
  });

  it("is made again when somebody deletes a part of it", async () => {
    const before = await namespace.get(resources.installation, "mock-env");
    await cluster.client.delete(kubeResources.clusterRoleBinding, { name: "mock-env" });
    await namespace.delete(kubeResources.roleBinding, "mock-env");
    await namespace.delete(resources.target, "mock-env");
    await waitFor(async () => (await listMade("mock-env")).length === everything.length);
    await namespace.delete(resources.installation, "mock-env");
    await namespace.until(
      resources.installation,
      "mock-env",
      (object) => object !== undefined && object.metadata.uid !== before.metadata.uid,
    );
    await untilPhase("env", "Succeeded");
    await waitFor(async () => (await listMade("mock-env")).length === everything.length);
  });

  it("goes with its registration, in all Environments", async () => {
    await create(environmentType, environment("second"));
    await untilPhase("second", "Succeeded");
    expect(await listMade("mock-second")).toEqual(everything);
    await removeRegistration("mock");
    await untilNothing("mock-env");
    await untilNothing("mock-second");
    expect((await untilPhase("second", "Succeeded"))?.status).toMatchObject({ succeeded: "0/0", deployers: [] });
    await removeEnvironment("second");
    await namespace.untilGone(resources.target, "second");
  });

  it("goes with its Environment, which keeps the finalizer of the agent alone", async () => {
    for (const name of ["one", "two"]) await create(registrationType, registration(name));
    await until(environmentType, "env", (object) => object?.status?.succeeded === "2/2");
    await removeEnvironment("env");
    await untilNothing("one-env");
    await untilNothing("two-env");
    await namespace.untilGone(resources.target, "env");
    for (const name of ["one", "two"]) {
      await until(registrationType, name, (object) => object?.status?.environments?.total === 0);
      await removeRegistration(name);
    }
  });
});

describe("what an Environment whose finalizers were removed by hand has left", () => {
  it("goes all the same", async () => {
    await create(registrationType, registration("mock"));
    await create(environmentType, environment("hasty"));
    await untilPhase("hasty", "Succeeded");
    await cluster.client.delete(environmentType, { name: "hasty" });
    await waitFor(async () => {
      const found = await cluster.client.find(environmentType, { name: "hasty" });
      if (found === undefined) return true;
      await cluster.client.patch(
        environmentType,
        { name: "hasty" },
        { type: "merge", body: { metadata: { finalizers: [] } } },
      );
      return false;
    });
    await untilNothing("mock-hasty");
    await removeRegistration("mock");
  });
});

describe("an Environment that is made again while its deployers are uninstalled", () => {
  it("has them again, with another Target of its host", async () => {
    await create(registrationType, registration("mock"));
    await create(environmentType, environment("again"));
    await untilPhase("again", "Succeeded");
    const target = { namespace: "ls-system", name: "again" };
    const before = await cluster.client.get(resources.target, target);
    await cluster.client.delete(environmentType, { name: "again" });
    const body = { metadata: { finalizers: [] } };
    await cluster.client.patch(environmentType, { name: "again" }, { type: "merge", body });
    await create(environmentType, environment("again"));
    await untilPhase("again", "Succeeded");
    await waitFor(async () => {
      const found = await cluster.client.find(resources.target, target);
      return ![undefined, before.metadata.uid].includes(found?.metadata.uid);
    });
    expect(await listMade("mock-again")).toEqual(everything);
    await removeEnvironment("again");
    await removeRegistration("mock");
  });
});

describe("a deployer that cannot be installed", () => {
  it("is refused when its name would be too long", async () => {
    const name = "a".repeat(50);
    await create(environmentType, environment("long-name"));
    await create(registrationType, registration(name));
    const message = `DeployerRegistration ${name}, Environment long-name: the name of the Installation, ${name}-long-name, has 60 characters: expected at most 58`;
    const failed = await untilPhase("long-name", "Failed");
    expect(failed?.status?.lastError).toMatchObject({
      reason: "DeployerNameRefused",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      message: `${message}; create the DeployerRegistration or the Environment with another name`,
    });
    expect(failed?.status?.deployers).toEqual([
      { name: `${name}-long-name`, registration: name, phase: "Failed", message },
    ]);
    const found = await until(registrationType, name, (object) => object?.status?.environments?.failed === 1);
    expect(found?.status?.lastError?.message).toContain(message);
    expect(await listMade(`${name}-long-name`)).toEqual([]);
    await removeRegistration(name);
    await removeEnvironment("long-name");
  });

  it("leaves alone what has its name: an object of somebody else, or of a pair that is called alike", async () => {
    await create(environmentType, environment("c"));
    await create(environmentType, environment("b-c"));
    await create(registrationType, registration("a-b"));
    const first = await namespace.until(resources.installation, "a-b-c", (object) => object !== undefined);
    await create(registrationType, registration("a"));
    const failed = await until(
      environmentType,
      "b-c",
      ({ status } = {} as never) => status?.phase === "Failed" && status.succeeded === "1/2",
    );
    expect(failed?.status?.deployers?.[0]).toEqual({
      name: "a-b-b-c",
      registration: "a-b",
      phase: "Succeeded",
    });
    expect(failed?.status?.lastError?.message).toBe(
      "Installation a-b-c in namespace ls-system exists already and was made for something else: it is left alone; delete it, or create the DeployerRegistration or the Environment with another name",
    );
    expect(failed?.status?.lastError?.reason).toBe("DeployerConflict");
    expect((await namespace.get(resources.installation, "a-b-c")).metadata).toMatchObject({
      uid: first?.metadata.uid ?? "",
      labels: { [labels.deployerRegistration]: "a-b" },
    });
    // The other one takes the name over when the first is gone.
    await removeRegistration("a-b");
    await untilPhase("b-c", "Succeeded");
    await removeEnvironment("c");
    await removeEnvironment("b-c");
    await removeRegistration("a");
  });

  it("names a Target of somebody else that has the name of the Environment", async () => {
    await namespace.create(resources.target, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "taken" },
      spec: { type: "t" },
    });
    await create(registrationType, registration("mock"));
    await create(environmentType, environment("taken"));
    const failed = await untilPhase("taken", "Failed");
    expect(failed?.status?.lastError?.message).toMatch(/^Target taken in namespace ls-system exists already/);
    await namespace.delete(resources.target, "taken");
    await untilPhase("taken", "Succeeded");
    await removeEnvironment("taken");
    await removeRegistration("mock");
  });
});

describe("data imports of a registration", () => {
  it("start a job in every Environment when they change", async () => {
    await namespace.create(resources.dataObject, dataObject("chart-values", "v1"));
    const given = registration("valued");
    given.spec.installationTemplate.imports = { data: [{ name: "values", dataRef: "chart-values" }] };
    await create(registrationType, given);
    await create(environmentType, environment("data"));
    await untilPhase("data", "Succeeded");
    const job = (await namespace.get(resources.installation, "valued-data")).status?.jobID;
    const key = { namespace: "ls-system", name: "chart-values" };
    await cluster.client.patch(resources.dataObject, key, { type: "merge", body: { data: "v2" } });
    await namespace.until(
      resources.installation,
      "valued-data",
      ({ status } = {} as never) => status?.jobIDFinished !== job,
    );
    await removeEnvironment("data");
    await removeRegistration("valued");
  });
});
