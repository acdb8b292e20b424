import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  kubeResources,
  protectionFinalizer,
  resources,
  type Deployment,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import type { Clock } from "@landscaper/controller-runtime";
import { createFakeClock, startEmbeddedCluster, type EmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { releaseProtected } from "./release-protected.ts";

let cluster: EmbeddedCluster;
let namespace: TestNamespace;
let count = 0;
let lines: string[] = [];
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
});
afterAll(async () => cluster.stop());
beforeEach(async () => {
  cluster.server.setFault(undefined);
  namespace = await cluster.createNamespace(`cleanup-${++count}`);
  lines = [];
  beforePause = undefined;
});

const finalizers = ["example.org/other", protectionFinalizer];
const target = { apiVersion, kind: "Target", spec: { type: "t" } };
const roleBinding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "deployer" },
};
const objects: readonly (readonly [ResourceType, Pick<KubeObject, "apiVersion" | "kind">])[] = [
  [resources.target, target],
  [resources.context, { apiVersion, kind: "Context" }],
  [kubeResources.secret, { apiVersion: "v1", kind: "Secret" }],
  [kubeResources.roleBinding, roleBinding],
];

async function createProtected(): Promise<void> {
  for (const [type, fields] of objects)
    await namespace.create(type, { metadata: { name: "used", finalizers }, ...fields });
}

async function finalizersLeft(): Promise<readonly (readonly string[])[]> {
  const found = await Promise.all(objects.map(async ([type]) => await namespace.get<KubeObject>(type, "used")));
  return found.map(({ metadata }) => metadata.finalizers ?? []);
}

const clock = createFakeClock();
/** What another client does between two passes. */
let beforePause: (() => Promise<void>) | undefined;
const pausing: Clock = {
  ...clock,
  sleep: async (ms, signal) => {
    await beforePause?.();
    await clock.sleep(ms, signal);
  },
};

async function release(deployment?: string, timeoutMs = 30_000): Promise<string> {
  const { client } = cluster;
  const place = deployment === undefined ? undefined : { namespace: namespace.name, name: deployment };
  const { signal } = new AbortController();
  const context = { client, clock: pausing, log: (line: string) => void lines.push(line), signal };
  const ends: string[] = [];
  void releaseProtected({ landscaper: client, deployment: place, timeoutMs }, context).then(
    () => ends.push("done"),
    (error: unknown) => ends.push(String(error)),
  );
  while (ends.length === 0) await clock.advanceToNext();
  return ends.join();
}

async function keepAdding(): Promise<void> {
  const body = { metadata: { finalizers } };
  const key = { namespace: namespace.name, name: "used" };
  await namespace.client.patch(kubeResources.secret, key, { type: "merge", body });
}

describe("the cleanup of the core", () => {
  it("removes its finalizer from Targets, Contexts, Secrets and RoleBindings, and keeps the finalizers of others", async () => {
    await createProtected();
    expect(await release()).toBe("done");
    expect(await finalizersLeft()).toEqual(objects.map(() => ["example.org/other"]));
    expect(lines).toEqual(["removed the finalizer of 4 objects"]);
    await release();
    expect(lines.at(-1)).toBe("removed the finalizer of 0 objects");
  });

  it("stops the core first, and removes nothing while the core runs", async () => {
    await createProtected();
    await namespace.create<Deployment>(kubeResources.deployment, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "core" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: "core" } },
        template: { metadata: { labels: { app: "core" } }, spec: { containers: [{ name: "core", image: "core" }] } },
      },
    });
    const result = await release("core");
    expect(result).toContain(`Deployment ${namespace.name}/core still waits for its controller to scale it to 0`);
    expect((await namespace.get(kubeResources.deployment, "core")).spec?.replicas).toBe(0);
    expect(await finalizersLeft()).toEqual(objects.map(() => finalizers));
    await release();
  });

  it("removes all others if the API server refuses one, and names it at the end", async () => {
    await createProtected();
    cluster.server.setFault(({ verb, resource }) =>
      verb === "patch" && resource === "targets" ? { status: 403 } : undefined,
    );
    const began = clock.elapsed();
    expect(await release()).toContain(
      `Target ${namespace.name}/used still has the finalizer landscaper.gardener.cloud/in-use: PATCH `,
    );
    expect(clock.elapsed() - began).toBe(30_000);
    expect(await finalizersLeft()).toEqual([finalizers, ...objects.slice(1).map(() => ["example.org/other"])]);
    cluster.server.setFault(undefined);
    expect(await release()).toBe("done");
  });

  it("needs no right to list RoleBindings, which a core without deployers does not have", async () => {
    await createProtected();
    let refused = "rolebindings";
    cluster.server.setFault(({ verb, resource }) =>
      verb === "list" && resource === refused ? { status: 403 } : undefined,
    );
    expect(await release()).toBe("done");
    expect(await finalizersLeft()).toEqual([...objects.slice(1).map(() => ["example.org/other"]), finalizers]);
    expect(lines[0]).toContain("the account may not list RoleBindings");
    refused = "secrets";
    expect(await release()).toContain("403");
    cluster.server.setFault(undefined);
    await release();
  });

  it("ends although another client adds the finalizer again and again", async () => {
    await createProtected();
    let failures = 3;
    cluster.server.setFault(({ verb, resource }) =>
      verb === "patch" && resource === "contexts" && failures-- > 0 ? { status: 500 } : undefined,
    );
    beforePause = keepAdding;
    expect(await release()).toBe("done");
    expect(lines).toContain(`another client has added the finalizer to Secret ${namespace.name}/used again`);
    cluster.server.setFault(undefined);
    await release();
  });

  it("repeats failed requests of its lists for a minute", async () => {
    await createProtected();
    cluster.server.setFault(({ verb, resource }) =>
      verb === "list" && resource === "namespaces" ? { status: 403 } : undefined,
    );
    const began = clock.elapsed();
    expect(await release(undefined, 480_000)).toContain("the cleanup stopped: GET /api/v1/namespaces: 403");
    expect(clock.elapsed() - began).toBe(60_000);
    cluster.server.setFault(undefined);
    expect(await release()).toBe("done");
  });

  it("names objects in use that were deleted, because they are removed with their finalizer", async () => {
    await createProtected();
    await namespace.delete(resources.target, "used");
    expect(await release()).toBe("done");
    expect(lines[0]).toBe(`Target ${namespace.name}/used was deleted before, and is removed now`);
  });

  it("has nothing to do without the CRDs", async () => {
    const bare = await startEmbeddedCluster();
    try {
      const context = { client: bare.client, clock, log: (line: string) => void lines.push(line) };
      const options = { landscaper: bare.client, deployment: undefined, timeoutMs: 1000 };
      await releaseProtected(options, { ...context, signal: new AbortController().signal });
      expect(lines).toEqual(["removed the finalizer of 0 objects"]);
    } finally {
      await bare.stop();
    }
  });
});
