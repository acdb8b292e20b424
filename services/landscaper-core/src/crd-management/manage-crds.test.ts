import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  generateCrds,
  kubeResources,
  resources,
  type CustomResourceDefinition,
  type KubeObject,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, createSystemClock, type Client } from "@landscaper/controller-runtime";
import { createFakeClock, createTestLogger, type TestLogger } from "@landscaper/testkit";
import { startLocalCluster, type LocalCluster } from "@landscaper/local-cluster";
import { manageCrds, type CrdSettings } from "./manage-crds.ts";

const type = kubeResources.customResourceDefinition;
const all: CrdSettings = { deployCrd: true, forceUpdate: true };
const crdName = "targetsyncs.landscaper.gardener.cloud";

let server: LocalCluster;
let admin: Client;
const clients: Client[] = [];
const connect = (kubeconfig: string, userAgent: string): Client => {
  const client = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent });
  clients.push(client);
  return client;
};
/** Writes by the core since the last test. */
const writes: string[] = [];

beforeAll(async () => {
  server = await startLocalCluster({ authorization: "rbac" });
  admin = connect(server.kubeconfig, "test");
  server.setFault(({ userAgent, method, path }) => {
    if (userAgent.startsWith("core") && method !== "GET") writes.push(`${method} ${path}`);
    return undefined;
  });
  await grant("core", ["get", "watch", "create", "update"]);
});
afterEach(() => {
  writes.length = 0;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
});

async function grant(user: string, verbs: readonly string[]): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  const create = async (kind: string, fields: Record<string, unknown>): Promise<void> => {
    const object: KubeObject = { apiVersion: `${apiGroup}/v1`, kind, metadata: { name: user }, ...fields };
    const plural = `${kind.toLowerCase()}s`;
    await admin.create({ group: apiGroup, version: "v1", kind, plural, namespaced: false }, object);
  };
  await create("ClusterRole", {
    rules: [{ apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs }],
  });
  await create("ClusterRoleBinding", {
    roleRef: { apiGroup, kind: "ClusterRole", name: user },
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
}

interface Run {
  readonly settings?: CrdSettings;
  readonly user?: string;
}

async function run({ settings = all, user = "core" }: Run = {}): Promise<TestLogger> {
  const log = createTestLogger();
  const client = connect(server.kubeconfigFor({ name: user }), user);
  await manageCrds({ client, clock: createSystemClock(), log, settings }, AbortSignal.timeout(20_000));
  return log;
}

async function change(name: string, edit: (crd: CustomResourceDefinition) => void): Promise<void> {
  const crd = structuredClone(await admin.get(type, { name }));
  edit(crd);
  await admin.update(type, crd);
}

describe("CRDs at the start of the core (core.md §1.4 no. 86)", () => {
  it("does nothing when it is told so", async () => {
    await run({ settings: { deployCrd: false, forceUpdate: true } });
    expect(writes).toEqual([]);
    expect((await admin.list(type)).items).toEqual([]);
  });

  it("are made, each once by several replicas at a time, and served when it ends", async () => {
    await Promise.all([run(), run(), run()]);
    const { items } = await admin.list(type);
    expect(items.map(({ metadata }) => metadata.name ?? "").toSorted()).toEqual(
      generateCrds()
        .map(({ metadata }) => metadata.name ?? "")
        .toSorted(),
    );
    expect(items.map(({ metadata }) => metadata.generation)).toEqual(items.map(() => 1));
    expect((await admin.list(resources.targetSync)).items).toEqual([]);
  });

  it("are not written again", async () => {
    const log = await run();
    expect(writes).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it("get the fields of this release, unless forceUpdate is off", async () => {
    const schema = (crd: CustomResourceDefinition) =>
      crd.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.properties;
    await change(crdName, (crd) => {
      const properties = schema(crd);
      if (properties !== undefined) delete properties["tokenRotation"];
    });
    await run({ settings: { deployCrd: true, forceUpdate: false } });
    expect(schema(await admin.get(type, { name: crdName }))).not.toHaveProperty("tokenRotation");
    await run();
    expect(schema(await admin.get(type, { name: crdName }))).toHaveProperty("tokenRotation");
    expect(writes).toEqual([`PUT /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crdName}`]);
  });

  it("keep a newer version that objects are stored in", async () => {
    await change(crdName, (crd) => {
      const [first] = crd.spec.versions;
      if (first === undefined) throw new Error("no version");
      first.storage = false;
      crd.spec.versions.push({ ...first, name: "v1beta1", storage: true });
    });
    await run();
    const { spec, status } = await admin.get(type, { name: crdName });
    expect(spec.versions.map(({ name, storage }) => ({ name, storage }))).toEqual([
      { name: "v1alpha1", storage: false },
      { name: "v1beta1", storage: true },
    ]);
    expect(status?.storedVersions).toEqual(["v1alpha1", "v1beta1"]);
  });

  it("say what helps when the rights are missing", async () => {
    await grant("poor", ["get"]);
    await admin.delete(type, { name: crdName });
    const error = await run({ user: "poor" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: "CrdManagementFailed",
      hint: "grant get, watch, create and update for customresourcedefinitions, or apply crds/ yourself and set crdManagement.deployCrd to false",
    });
    await run();
  });

  it("are given up when they are not served in time", async () => {
    const apiServer = await startIdleApiServer();
    const clock = createFakeClock();
    const client = createClient({ connection: { server: apiServer.url } });
    clients.push(client);
    const management = { client, clock, log: createTestLogger(), settings: all };
    const failing = manageCrds(management, AbortSignal.timeout(20_000)).catch((thrown: unknown) => thrown);
    await apiServer.watched;
    await clock.advance(30_000);
    expect(await failing).toMatchObject({
      message: expect.stringMatching(
        /^CustomResourceDefinition \w+\.landscaper\.gardener\.cloud: expected the conditions Established and NamesAccepted within 30 s$/,
      ),
      hint: "look at its status.conditions; names that are refused are put right where crdManagement.forceUpdate is true",
    });
    await apiServer.stop();
  });
});

interface IdleApiServer {
  readonly url: string;
  /** Resolves when somebody watches. */
  readonly watched: Promise<void>;
  stop(): Promise<void>;
}

/** Has all CRDs, but never serves their kinds. */
async function startIdleApiServer(): Promise<IdleApiServer> {
  const crds = new Map(generateCrds().map((crd) => [crd.metadata.name, crd]));
  let noteWatch = (): void => {};
  const watched = new Promise<void>((resolve) => {
    noteWatch = resolve;
  });
  const idle = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://idle");
    response.writeHead(200, { "content-type": "application/json" });
    if (searchParams.get("watch") === null) response.end(JSON.stringify(crds.get(pathname.split("/").at(-1))));
    else {
      response.flushHeaders();
      noteWatch();
    }
  });
  await new Promise<void>((resolve) => {
    idle.listen(0, "127.0.0.1", resolve);
  });
  const { port } = idle.address() as AddressInfo; // listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    watched,
    stop: async () => {
      idle.closeAllConnections();
      await new Promise((resolve) => {
        idle.close(resolve);
      });
    },
  };
}
