// Deployers of an Environment that names namespaces, with the core under the rights that it asks for and no others.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, labels, resources, type Environment, type RoleBinding } from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  isForbidden,
  type Client,
  type ListOptions,
} from "@landscaper/controller-runtime";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
} from "@landscaper/testkit";
import { connectionOf, grantCoreRights } from "../../../test/core-rights.ts";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { environment, managementSettings, registration } from "../../../test/deployer-management.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
let deployer: TestDeployer;
/** Writes of the core to bindings and Installations, as "verb resource namespace/name", where a create has no name. */
const writes: string[] = [];
const clients: Client[] = [];

function clientOf(kubeconfig: string, userAgent: string): Client {
  const client = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
  for (const name of ["ls-system", "one", "two"]) await cluster.createNamespace(name);
  const kubeconfig = await grantCoreRights(cluster);
  cluster.server.setFault(({ verb, resource, namespace, name, userAgent }) => {
    const isOfInterest = ["clusterrolebindings", "rolebindings", "installations"].includes(resource);
    if (userAgent === "core" && isOfInterest && ["create", "update", "patch", "delete"].includes(verb)) {
      writes.push(`${verb} ${resource} ${namespace}/${name}`);
    }
    return undefined;
  });
  core = startTestCore(clientOf(kubeconfig, "core"), {
    deployerManagement: managementSettings,
  });
  deployer = startTestDeployer(cluster.connect("deployer"));
  const landscaperClusterConfig = connectionOf(cluster);
  const namespaces = ["one", "later"];
  await cluster.client.create(resources.environment, environment("env", { landscaperClusterConfig, namespaces }));
  await cluster.client.create(resources.deployerRegistration, registration("mock"));
});
afterAll(async () => {
  await Promise.all([core.stop(), deployer.stop()]);
  await Promise.all(clients.map((client) => client.close()));
  await cluster.stop();
});

/** Bindings of the deployer, as "namespace/name". */
async function bindings(): Promise<string[]> {
  const selection: ListOptions = {
    labelSelector: `${labels.deployerEnvironment}=env,${labels.deployerRegistration}`,
  };
  const lists = await Promise.all([
    cluster.client.list(kubeResources.clusterRoleBinding, selection),
    cluster.client.list(kubeResources.roleBinding, selection),
  ]);
  return lists
    .flatMap(({ items }): readonly RoleBinding[] => items)
    .map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`)
    .toSorted();
}

const leases = "ls-system/mock-env";
const own = (namespace: string) => `${namespace}/environment.env.mock`;

async function untilBindings(...expected: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await bindings()) === JSON.stringify(expected.toSorted()), {
    describe: async () => JSON.stringify(await bindings()),
  });
}

async function untilPhase(phase: string): Promise<Environment["status"]> {
  let status: Environment["status"];
  await waitFor(
    async () => {
      const found = await cluster.client.get(resources.environment, { name: "env" });
      ({ status } = found);
      return status?.phase === phase && status.observedGeneration === found.metadata.generation;
    },
    { describe: () => Promise.resolve(JSON.stringify(status)) },
  );
  return status;
}

async function name(...namespaces: string[]): Promise<void> {
  const body = { spec: { namespaces: namespaces.length === 0 ? null : namespaces } };
  await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body });
}

async function createNamespace(named: string): Promise<void> {
  await cluster.client.create(kubeResources.namespace, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: named },
  });
}

async function isRefused(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return false;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

/** What of DeployItems, Targets and a Secret the deployer is refused in a namespace; undefined: in all. */
async function refusals(namespace: string | undefined): Promise<boolean[]> {
  const { spec } = await cluster.client.get(resources.target, { namespace: "ls-system", name: "mock-env" });
  const client = clientOf(String(Reflect.get(Object(spec.config), "kubeconfig")), "deployer-of-environment");
  const secret = { namespace: namespace ?? "two", name: "missing" };
  return await Promise.all([
    isRefused(client.list(resources.deployItem, { namespace })),
    isRefused(client.list(resources.target, { namespace })),
    isRefused(client.find(kubeResources.secret, secret)),
  ]);
}

describe("the deployer of an Environment that names namespaces", () => {
  it("is installed with rights in those that exist, and the status names the others", async () => {
    const status = await untilPhase("Failed");
    expect(status?.lastError).toMatchObject({
      reason: "NamespaceMissing",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      message:
        "Environment env: spec.namespaces names namespaces that do not exist or are being deleted: later; create the namespaces, or remove them from spec.namespaces; if one is being deleted, wait until it no longer exists",
    });
    await waitFor(
      async () => (await cluster.client.get(resources.environment, { name: "env" })).status?.succeeded === "1/1",
    );
    expect(await bindings()).toEqual([leases, own("one")].toSorted());
  });

  it("reads those alone", async () => {
    expect(await refusals("one")).toEqual([false, false, false]);
    expect(await refusals("two")).toEqual([true, true, true]);
    expect(await refusals(undefined)).toEqual([true, true, true]);
  });

  it("gets its rights in a namespace when that appears", async () => {
    await createNamespace("later");
    await untilBindings(leases, own("one"), own("later"));
    expect((await untilPhase("Succeeded"))?.lastError).toBeUndefined();
    expect(await refusals("later")).toEqual([false, false, false]);
  });

  it("gets them again when somebody deletes a binding", async () => {
    await cluster.client.delete(kubeResources.roleBinding, { namespace: "one", name: "environment.env.mock" });
    await waitFor(async () => (await bindings()).includes(own("one")));
  });

  it("gets new rights before the job that lets it use them, and loses the old ones", async () => {
    const before = writes.length;
    await name("two", "later");
    await untilBindings(leases, own("later"), own("two"));
    const isOfInterest = (write: string): boolean =>
      write.includes("rolebindings") || write === "update installations ls-system/mock-env";
    expect(writes.slice(before).filter(isOfInterest)).toEqual([
      "create rolebindings two/",
      "update installations ls-system/mock-env",
      `delete rolebindings ${own("one")}`,
    ]);
    const installation = { namespace: "ls-system", name: "mock-env" };
    const { spec } = await cluster.client.get(resources.installation, installation);
    // The blueprint has no such import: that does not matter.
    expect(spec.importDataMappings?.["namespaces"]).toEqual(["two", "later"]);
    await untilPhase("Succeeded");
    expect(await refusals("one")).toEqual([true, true, true]);
    expect(await refusals("two")).toEqual([false, false, false]);
  });

  it("has rights in all namespaces when the Environment names none any more, and loses them when it names some", async () => {
    await name();
    await untilBindings(leases, "/mock-env");
    expect(await refusals(undefined)).toEqual([false, false, false]);
    await name("one");
    await untilBindings(leases, own("one"));
    expect(await refusals(undefined)).toEqual([true, true, true]);
  });

  it("leaves a RoleBinding of another user alone, says so, and gives the rights in other namespaces", async () => {
    await createNamespace("zone");
    const metadata = { namespace: "two", name: "environment.env.mock" };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    const foreign = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata,
      roleRef,
      subjects: [],
    };
    await cluster.client.create(kubeResources.roleBinding, foreign);
    await name("one", "two", "zone");
    expect((await untilPhase("Failed"))?.lastError?.message).toBe(
      "RoleBinding environment.env.mock in namespace two exists already and was made for something else: it is left alone; delete it, or create the DeployerRegistration or the Environment with another name",
    );
    expect((await cluster.client.get(kubeResources.roleBinding, metadata)).roleRef).toEqual(roleRef);
    await untilBindings(leases, own("one"), own("zone"));
    await cluster.client.delete(kubeResources.roleBinding, metadata);
    await untilBindings(leases, own("one"), own("two"), own("zone"));
    await untilPhase("Succeeded");
    await name("one", "two");
    await untilBindings(leases, own("one"), own("two"));
    await untilPhase("Succeeded");
  });

  it("gets nothing written when nothing has changed", async () => {
    const before = writes.length;
    const touch = { metadata: { labels: { touched: "true" } } };
    await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body: touch });
    // A deployer that comes later is written after everything that the touch has caused.
    await cluster.client.create(resources.deployerRegistration, registration("later"));
    await waitFor(
      async () => (await cluster.client.get(resources.environment, { name: "env" })).status?.succeeded === "2/2",
    );
    expect(writes.slice(before).filter((write) => write.includes("mock"))).toEqual([]);
    await cluster.client.delete(resources.deployerRegistration, { name: "later" });
    await untilBindings(leases, own("one"), own("two"));
  });

  it("loses all of them with the Environment", async () => {
    await cluster.client.delete(resources.environment, { name: "env" });
    await untilBindings();
  });
});

describe("an Environment is refused with namespaces", () => {
  it.each([
    [[], "spec.namespaces in body should have at least 1 items"],
    [["one", "two", "one"], "spec.namespaces[2]: Duplicate value"],
    [["one.two"], "spec.namespaces[0] in body should match '^([*]|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$'"],
    [["*", "one"], '"*" means all namespaces and must be the only entry of the list'],
  ])("%j", async (namespaces, problem) => {
    await expect(cluster.client.create(resources.environment, environment("bad", { namespaces }))).rejects.toThrow(
      problem,
    );
  });
});
