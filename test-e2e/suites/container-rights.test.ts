// The programs beside the container of a container item have rights on the named objects of their job alone. Whether an apply may create a Secret of such a name is what an API server makes of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type Pod } from "@landscaper/api";
import {
  containerPaths,
  environmentOf,
  initRules,
  parseStateIndex,
  runWait,
  waitRules,
  type JobFile,
  type NamedRule,
} from "@landscaper/container-deployer-lib";
import { ApiError, createClient, createSystemClock, type Client } from "@landscaper/controller-runtime";
import { createNamespace, waitFor } from "@landscaper/testkit";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "container-rights";
const item = { namespace: "team", name: "setup" };
const pod = "setup-aaaaaaaa";

const job: JobFile = {
  version: 1,
  pod,
  suffix: "aaaaaaaa",
  graceSeconds: 300,
  operation: "RECONCILE",
  state: {
    restore: { chunks: [{ name: "state-old-0" }] },
    index: { name: "state-index" },
    chunks: ["state-new-0", "state-new-1"],
  },
  exports: { name: "export" },
  limits: { stateBytes: 1024 ** 2, exportBytes: 1000 },
  labels: { "test/item": "setup" },
  oci: { allowPlainHttp: false, insecureSkipVerify: false },
  egress: { profile: "default", deny: [], allow: [], onlyAllowed: false, clusterCIDRs: [], tokenRealms: [] },
};

const secret = (name: string): KubeObject & { data?: Record<string, string> } => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace },
  data: { config: "YQ==" },
});

/** What a call ends with: "done", or the status of the answer. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe.each(clustersUnderTest())("rights of the programs of a container job on %s", (cluster) => {
  let server: TestCluster;
  let admin: Client;
  const clients: Client[] = [];
  beforeAll(async () => {
    server = await startTestCluster(cluster, { api: false });
    admin = server.client;
    await createNamespace(admin, namespace);
    await admin.create(kubeResources.secret, secret("state-old-0"));
    await admin.create(kubeResources.secret, secret("foreign"));
    for (const name of [pod, "other-pod"]) {
      await admin.create(kubeResources.pod, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace },
        spec: { automountServiceAccountToken: false, containers: [{ name: "main", image: "registry.example/main:1" }] },
      });
    }
  });
  afterAll(async () => {
    await Promise.all(clients.map(async (one) => one.close()));
    await server.stop();
  });

  /** A client with the rights of the rules, once they are in force. */
  async function login(name: string, rules: readonly NamedRule[], probe: (client: Client) => Promise<unknown>) {
    const metadata = { name, namespace };
    await admin.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const role: KubeObject & { rules: unknown } = { apiVersion: `${rbacGroup}/v1`, kind: "Role", metadata, rules };
    const binding: KubeObject & { roleRef: unknown; subjects: unknown } = {
      apiVersion: `${rbacGroup}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbacGroup, kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    };
    await admin.create(rbacType("Role"), role);
    await admin.create(rbacType("RoleBinding"), binding);
    const token = await requestToken(admin, { namespace, name });
    const client = createClient({ connection: { server: server.url, ca: server.ca, token }, userAgent: name });
    clients.push(client);
    await waitFor(async () => (await outcome(probe(client))) !== 403);
    return client;
  }

  const apply = (client: Client, name: string) =>
    outcome(
      client.patch(kubeResources.secret, { namespace, name }, { type: "apply", body: secret(name), fieldManager: "t" }),
    );

  it("init reads the parts of the state that it restores, and nothing else", async () => {
    const get = (client: Client, name: string) => client.get(kubeResources.secret, { namespace, name });
    const init = await login("setup-init", initRules(job), async (client) => get(client, "state-old-0"));
    expect(await outcome(get(init, "state-old-0"))).toBe("done");
    expect(await outcome(get(init, "foreign"))).toBe(403);
    expect(await outcome(init.list(kubeResources.secret, { namespace }))).toBe(403);
    expect(await apply(init, "state-old-0")).toBe(403);
    expect(await outcome(init.get(kubeResources.pod, { namespace, name: pod }))).toBe(403);
  });

  it("wait creates and changes the Secrets of its job by apply, and no others", async () => {
    const wait = await login("setup-wait", waitRules(job), async (client) =>
      client.get(kubeResources.pod, { namespace, name: pod }),
    );
    for (const name of ["export", "state-index", "state-new-0", "state-new-1"]) {
      expect([name, await apply(wait, name)]).toEqual([name, "done"]);
      expect([name, await apply(wait, name)]).toEqual([name, "done"]);
    }
    for (const name of ["foreign", "state-old-0", "state-new-2", "new"]) {
      expect([name, await apply(wait, name)]).toEqual([name, 403]);
    }
    // A create names its object in the body, which no rule with names allows.
    await admin.delete(kubeResources.secret, { namespace, name: "export" });
    expect(await outcome(wait.create(kubeResources.secret, secret("export")))).toBe(403);
    expect(await outcome(wait.delete(kubeResources.secret, { namespace, name: "state-index" }))).toBe(403);
    expect(await outcome(wait.list(kubeResources.secret, { namespace }))).toBe(403);
    expect(await outcome(wait.get(kubeResources.secret, { namespace, name: "foreign" }))).toBe(403);
    const own = { namespace, fieldSelector: `metadata.name=${pod}` };
    expect(await outcome(wait.list(kubeResources.pod, own))).toBe("done");
    expect(await outcome(wait.list(kubeResources.pod, { namespace }))).toBe(403);
    expect(await outcome(wait.get(kubeResources.pod, { namespace, name: "other-pod" }))).toBe(403);
    await Promise.all(
      ["state-index", "state-new-0", "state-new-1"].map(async (name) =>
        admin.delete(kubeResources.secret, { namespace, name }),
      ),
    );
  });

  it("an apply with another version, or over what somebody else has written, is refused", async () => {
    const key = { namespace, name: "guarded" };
    const { metadata } = await admin.create(kubeResources.secret, { ...secret("guarded"), data: {} });
    const write = (value: string, { fieldManager = "t", resourceVersion, force }: Record<string, unknown> & object) => {
      const body = { ...secret("guarded"), data: { config: value } };
      const guarded =
        resourceVersion === undefined ? body : { ...body, metadata: { ...body.metadata, resourceVersion } };
      const how = { fieldManager: String(fieldManager), force: force === true };
      return outcome(admin.patch(kubeResources.secret, key, { type: "apply", body: guarded, ...how }));
    };
    expect(await write("YQ==", { resourceVersion: metadata.resourceVersion, force: true })).toBe("done");
    expect(await write("Yg==", { resourceVersion: metadata.resourceVersion, force: true })).toBe(409);
    expect(await write("Yg==", { fieldManager: "another" })).toBe(409);
    expect(await write("Yg==", { fieldManager: "another", force: true })).toBe("done");
  });

  it("are enough for wait to keep state and exports", async () => {
    const folder = mkdtempSync(join(tmpdir(), "container-rights-"));
    try {
      const paths = containerPaths(folder);
      for (const file of [paths.job, paths.exports, join(paths.state, "counter")])
        mkdirSync(dirname(file), { recursive: true });
      writeFileSync(paths.job, JSON.stringify(job));
      writeFileSync(paths.exports, '{"a": 1}');
      writeFileSync(join(paths.state, "counter"), "1");
      const env = Object.fromEntries(
        environmentOf("wait", { item, operation: "RECONCILE", paths }).map(({ name, value }) => [name, value]),
      );
      const wait = clients.at(-1);
      if (wait === undefined) throw new Error("wait has logged in above");
      const running = runWait({
        env: { ...env, POD_NAME: pod, POD_NAMESPACE: namespace },
        paths,
        client: wait,
        clock: createSystemClock(),
        random: Math.random,
        log: () => {},
        signal: new AbortController().signal,
      });
      const found = await admin.get<Pod>(kubeResources.pod, { namespace, name: pod });
      const containerStatuses = [
        { name: "main", image: "", imageID: "", ready: false, restartCount: 0, state: { terminated: { exitCode: 0 } } },
      ];
      await admin.updateStatus<Pod>(kubeResources.pod, { ...found, status: { phase: "Running", containerStatuses } });
      await running;
      const textOf = async (name: string, key: string): Promise<string> => {
        const { data } = await admin.get(kubeResources.secret, { namespace, name });
        return Buffer.from(data?.[key] ?? "", "base64").toString();
      };
      expect(await textOf("export", "config")).toBe('{"a": 1}');
      const index = parseStateIndex(await textOf("state-index", "index.json"), "state-index");
      expect(index).toMatchObject({ generation: "aaaaaaaa", chunks: [{ name: "state-new-0" }], fileCount: 1 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
