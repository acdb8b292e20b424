// Going back to the original (docs/compatibility.md): this core and its deployers have run jobs, and the original's core takes over what
// they have left. The original is played from the specification of its protocol (../take-over/original-core.ts).
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConfigMap, Installation, KubeObject, ResourceType } from "@landscaper/api";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import {
  waitFor,
  type ApiProxy,
  startApiProxy,
  playedType,
  removeFinalizer,
  waitForJob,
  writePhase,
  type RequestLog,
  logRequests,
} from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  inlineInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import type { Cluster } from "../src/kits/plain-api.ts";
import { connect } from "../src/kits/plain-api.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { hubKinds } from "../take-over/hub-kinds.ts";
import type { OriginalCore } from "../take-over/original-core.ts";
import { startOriginalCore } from "../take-over/original-core.ts";
import { uninstallItems } from "../take-over/original-deployer.ts";
import { recordPlatform } from "../take-over/platform.ts";
import type { RecordedObject } from "../take-over/recorded-object.ts";
import type { Place } from "../take-over/shop.ts";
import { recordShop } from "../take-over/shop.ts";
import { compareWireFormat } from "../take-over/wire-format.ts";

const service: ResourceType = { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true };
interface Version {
  readonly uid: string;
  readonly resourceVersion: string;
}

function versionsOf(objects: readonly KubeObject[]): Record<string, Version> {
  return Object.fromEntries(
    objects.map(({ kind, metadata: { name = "", uid = "", resourceVersion = "" } }) => [
      `${kind} ${name}`,
      { uid, resourceVersion },
    ]),
  );
}

async function versionsOnHub(scope: TestNamespace): Promise<Record<string, Version>> {
  const lists = await Promise.all(
    hubKinds.map(async (type) => (await scope.list<KubeObject>(type)).map((each) => ({ ...each, kind: type.kind }))),
  );
  return versionsOf(lists.flat());
}

async function versionsOnTarget({ environment, targetNamespace }: TestNamespace): Promise<Record<string, Version>> {
  const list = async (type: ResourceType) =>
    (await environment.targetClient.list(type, { namespace: targetNamespace })).items.map((each) => ({
      ...each,
      kind: type.kind,
    }));
  const objects = [...(await list(kubeResources.configMap)), ...(await list(service))];
  // Kubernetes puts this one into every namespace.
  return versionsOf(objects.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt"));
}

/** As the chart of the core does before it is uninstalled. */
async function removeProtection(kubeconfig: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-"));
  try {
    const file = join(folder, "kubeconfig");
    writeFileSync(file, kubeconfig, { mode: 0o600 });
    const bundle = join(import.meta.dirname, "../../dist/landscaper-core.mjs");
    await promisify(execFile)(process.execPath, [bundle, "cleanup", "--kubeconfig", file, "--timeout", "60s"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Kept {
  readonly uid: string;
  readonly generation: number;
}

/** What a job keeps that finds nothing new, with its spec; objects that carry data are made anew by each job of the original. */
async function keptOnHub(scope: TestNamespace): Promise<Record<string, Kept>> {
  const types: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];
  const lists = await Promise.all(
    types.map(async (type) =>
      (await scope.list<KubeObject>(type)).map(
        ({ metadata: { name = "", uid = "", generation = 0 } }) =>
          [`${type.kind} ${name}`, { uid, generation }] as const,
      ),
    ),
  );
  return Object.fromEntries(lists.flat());
}

const placeOf = ({ name, targetNamespace, environment: { targetKubeconfig } }: TestNamespace): Place => ({
  namespace: name,
  targetNamespace,
  kubeconfig: targetKubeconfig,
});

/** What the user has made of a recorded landscape: data, Targets, and the root Installation with a trigger. */
function objectsOfUser(recording: readonly RecordedObject[]): KubeObject[] {
  const isOfUser = ({ cluster, kind, metadata }: RecordedObject): boolean => {
    const isOwned = ((metadata["ownerReferences"] ?? []) as readonly unknown[]).length > 0; // as recorded
    return cluster === "hub" && !isOwned && kind !== "Secret";
  };
  return recording.filter(isOfUser).map(({ apiVersion, kind, metadata: { name }, spec, data }) => {
    const trigger = { annotations: { [annotations.operation]: operations.reconcile } };
    const metadata = { name, ...(kind === "Installation" ? trigger : {}) };
    return { apiVersion, kind, metadata, ...(spec === undefined ? { data } : { spec }) };
  });
}

/** A root Installation that imports a word, from a DataObject of its own by default, and exports it; the test plays its only item. */
function playedRoot(name: string, dataRef?: string): readonly KubeObject[] {
  const config = { apiVersion: "test/v1", kind: "Played", word: "{{ .imports.word }}" };
  const blueprint = {
    imports: [dataParameter("word", { type: "string" })],
    exports: [dataParameter("word", { type: "string" })],
    deployExecutions: deployItems({ name: "item", type: playedType, config }),
    exportExecutions: [
      { name: "default", type: "GoTemplate", template: "exports: { word: {{ quote .imports.word }} }\n" },
    ],
  };
  const imports = { data: [{ name: "word", dataRef: dataRef ?? `${name}-word` }] };
  const exports = { data: [{ name: "word", dataRef: `${name}-out` }] };
  const root = inlineInstallation({ name, blueprint, imports, exports });
  return dataRef === undefined ? [dataObject(`${name}-word`, "hello"), root] : [root];
}

async function itemOf(scope: TestNamespace, root: string): Promise<string> {
  const items = await waitFor(async () => {
    const found = await scope.deployItems(root);
    return found.size > 0 ? found : undefined;
  });
  return items.get("item")?.metadata.name ?? "";
}

/** Plays the deployer of a root's only item to the end of its job. */
async function playItem(scope: TestNamespace, root: string, phase: "Succeeded" | "Failed"): Promise<void> {
  const name = await itemOf(scope, root);
  await waitForJob(scope, name);
  await writePhase(scope, name, phase);
}

describe.each(clustersUnderTest())("a landscape that goes back to the original on %s", (cluster) => {
  let environment: Environment;
  let hubProxy: ApiProxy;
  let targetProxy: ApiProxy;
  let requests: RequestLog;
  let plain: Cluster;
  let plainTarget: Cluster;
  const originals: OriginalCore[] = [];
  const scopes = new Map<string, TestNamespace>();
  const before = new Map<string, { hub: Record<string, Version>; target: Record<string, Version> }>();

  function scopeOf(name: string): TestNamespace {
    const found = scopes.get(name);
    if (found === undefined) throw new Error(`there is no landscape ${name}`);
    return found;
  }

  async function open(name: string, load: (scope: TestNamespace) => readonly KubeObject[]): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    scopes.set(name, scope);
    await scope.apply(...load(scope));
    return scope;
  }

  async function loadFinished(): Promise<void> {
    await open("shop", (scope) => objectsOfUser(recordShop(placeOf(scope), "marked")));
    await open("platform", (scope) => objectsOfUser(recordPlatform(placeOf(scope), "marked")));
    await open("keeper", (scope) => {
      const map = (name: string) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: scope.targetNamespace },
      });
      const kept = {
        config: {
          manifests: [
            { policy: "keep", manifest: map("kept") },
            { policy: "manage", manifest: map("gone") },
          ],
        },
      };
      const blueprint = {
        imports: [clusterImport],
        deployExecutions: deployItems(manifestItem({ manifests: [], ...kept })),
      };
      const imports = { targets: [{ name: "cluster", target: "cluster" }] };
      return [scope.target("cluster"), inlineInstallation({ name: "keeper", blueprint, imports })];
    });
    for (const name of ["shop", "platform", "keeper"]) await scopeOf(name).waitForPhase(name, "Succeeded");
    const broken = await open("broken", () => playedRoot("broken"));
    await playItem(broken, "broken", "Failed");
    await broken.waitForPhase("broken", "Failed");
  }

  async function loadUnfinished(): Promise<void> {
    const busy = await open("busy", () => playedRoot("busy"));
    await waitForJob(busy, await itemOf(busy, "busy"));
    const leaving = await open("leaving", () => playedRoot("leaving"));
    await playItem(leaving, "leaving", "Succeeded");
    await leaving.waitForPhase("leaving", "Succeeded");
    await leaving.delete(resources.installation, "leaving");
    await waitForJob(leaving, await itemOf(leaving, "leaving"));
    await writePhase(leaving, await itemOf(leaving, "leaving"), "Deleting");
    // The job of "gate" cannot begin here, and "early" waits for it.
    hubProxy.setPlan(({ method, path }) =>
      method === "PUT" && path.includes("/installations/gate/status")
        ? { type: "answer", status: 500 }
        : { type: "pass" },
    );
    const early = await open("early", () => playedRoot("gate"));
    await early.apply(...playedRoot("early", "gate-out"));
    await early.until(resources.installation, "early", (found) => found?.status?.phase === "Init");
  }

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      separateTarget: false,
      services: ["landscaper-core", "manifest-deployer"],
      async kubeconfigFor(name, hub) {
        // The deployer speaks to the hub directly; only Targets lead through its proxy.
        const token = name === "manifest-deployer" ? hub.token : hub.serviceToken(name);
        const proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token });
        if (name === "manifest-deployer") targetProxy = proxy;
        else hubProxy = proxy;
        return name === "manifest-deployer" ? undefined : proxy.kubeconfig;
      },
      targetKubeconfig: () => targetProxy.kubeconfig,
    });
    requests = logRequests(targetProxy);
    plain = connect(environment.hub.kubeconfig);
    plainTarget = connect(environment.target.kubeconfig);
    await loadFinished();
    await loadUnfinished();
    await Promise.all(environment.services.map(async (each) => each.stop()));
    await removeProtection(hubProxy.kubeconfig);
    for (const [name, scope] of scopes) {
      before.set(name, { hub: await versionsOnHub(scope), target: await versionsOnTarget(scope) });
    }
    requests.forget();
  }, 150_000);
  afterAll(async () => {
    await Promise.all(originals.map(async (each) => each.stop()));
    await Promise.all([plain.close(), plainTarget.close()]);
    await environment.stop();
    await Promise.all([hubProxy.stop(), targetProxy.stop()]);
  });

  it.each([
    ["shop", recordShop],
    ["platform", recordPlatform],
  ] as const)("has in %s what the original would have written", async (name, record) => {
    const scope = scopeOf(name);
    const { live, original } = await compareWireFormat(plain.namespace(scope.name), record(placeOf(scope), "marked"));
    expect(live).toEqual(original);
  });

  it("has in its Execution and its items the job of the root, and nothing open", async () => {
    for (const name of ["shop", "platform", "keeper"]) {
      const { status } = await scopeOf(name).get(resources.installation, name);
      for (const type of [resources.installation, resources.execution, resources.deployItem]) {
        for (const object of await scopeOf(name).list<Installation>(type as ResourceType<Installation>)) {
          expect([object.status?.jobID, object.status?.jobIDFinished]).toEqual([status?.jobID, status?.jobID]);
        }
      }
    }
  });

  it("has the job end there that waited in Init here: its imports are read there", async () => {
    for (const scope of scopes.values()) originals.push(startOriginalCore(plain.namespace(scope.name)));
    await playItem(scopeOf("early"), "gate", "Succeeded");
    await playItem(scopeOf("early"), "early", "Succeeded");
    const ended = await scopeOf("early").waitForPhase("early", "Succeeded");
    expect(ended.status?.lastError).toBeUndefined();
    expect(await scopeOf("early").exported("early-out")).toBe("hello");
  });

  it("has the job fail there whose imports were read here, and the next one succeeds", async () => {
    const scope = scopeOf("busy");
    const item = await scope.get(resources.deployItem, await itemOf(scope, "busy"));
    await writePhase(scope, item.metadata.name ?? "", "Succeeded");
    const failed = await scope.waitForPhase("busy", "Failed");
    expect([failed.status?.lastError?.reason, failed.status?.lastError?.message]).toEqual([
      "CheckImportsHash",
      "imports have changed",
    ]);
    await scope.trigger("busy");
    await playItem(scope, "busy", "Succeeded");
    await scope.waitForPhase("busy", "Succeeded");
    expect(await scope.exported("busy-out")).toBe("hello");
    const { uid, generation } = (await scope.get(resources.deployItem, item.metadata.name ?? "")).metadata;
    expect([uid, generation]).toEqual([item.metadata.uid, item.metadata.generation]);
  });

  it("has the deletion end there that was running here", async () => {
    const scope = scopeOf("leaving");
    await removeFinalizer(scope, await itemOf(scope, "leaving"));
    await scope.untilGone(resources.installation, "leaving");
    expect(await scope.list(resources.execution)).toEqual([]);
  });

  it("has the job that had failed here succeed there when it is triggered", async () => {
    const scope = scopeOf("broken");
    expect((await scope.get(resources.installation, "broken")).status?.phase).toBe("Failed");
    await scope.trigger("broken");
    await playItem(scope, "broken", "Succeeded");
    await scope.waitForPhase("broken", "Succeeded");
  });

  it("is left alone where no job is asked for: no object is written, on the hub or on the target", async () => {
    for (const name of ["shop", "platform", "keeper"]) {
      const found = { hub: await versionsOnHub(scopeOf(name)), target: await versionsOnTarget(scopeOf(name)) };
      expect(found).toEqual(before.get(name));
      expect(requests.requests(scopeOf(name).targetNamespace)).toEqual([]);
    }
  });

  it("keeps its objects and its target when the original runs a job with our deployer", async () => {
    const kept = await Promise.all(["shop", "platform"].map(async (name) => keptOnHub(scopeOf(name))));
    await environment.service("manifest-deployer").start();
    for (const [index, name] of ["shop", "platform"].entries()) {
      const scope = scopeOf(name);
      await scope.trigger(name);
      await scope.waitForPhase(name, "Succeeded");
      expect(await keptOnHub(scope)).toEqual(kept[index]);
      expect(await versionsOnTarget(scope)).toEqual(before.get(name)?.target);
    }
    expect(requests.writes(scopeOf("shop").targetNamespace)).toEqual([]);
    expect(await scopeOf("shop").exported("shop-url")).toBe("http://store.example:8080/");
    // No sub-object was missing or had another spec than the original wants.
    expect(originals.flatMap(({ log }) => log).filter((line) => !/ (gate|early)/.test(line))).toEqual([]);
  });

  it("is uninstalled by the inventory that our deployer has left, and what is kept stays", async () => {
    await environment.service("manifest-deployer").stop();
    const scope = scopeOf("keeper");
    await scope.delete(resources.installation, "keeper");
    await waitFor(async () => {
      await uninstallItems(plain, plainTarget, scope.name);
      return (await scope.find(resources.installation, "keeper")) === undefined;
    });
    expect(Object.keys(await versionsOnTarget(scope))).toEqual(["ConfigMap kept"]);
  });

  it("comes to us again as it went, changes with an import, and goes completely when it is deleted", async () => {
    await Promise.all(originals.splice(0).map(async (each) => each.stop()));
    await Promise.all(environment.services.map(async (each) => each.start()));
    for (const name of ["shop", "platform"]) {
      const scope = scopeOf(name);
      const kept = await keptOnHub(scope);
      await scope.trigger(name);
      await scope.waitForPhase(name, "Succeeded");
      expect(await keptOnHub(scope)).toEqual(kept);
      expect(await versionsOnTarget(scope)).toEqual(before.get(name)?.target);
    }
    const shop = scopeOf("shop");
    await shop.apply(dataObject("shop-greeting", "good day"));
    await shop.trigger("shop");
    await shop.waitForPhase("shop", "Succeeded");
    const front = await shop.findOnTarget<ConfigMap>(kubeResources.configMap, "front");
    expect(front?.data).toEqual({ greeting: "good day", url: "http://store.example:8080/" });
    for (const name of ["shop", "platform"]) {
      const scope = scopeOf(name);
      await scope.delete(resources.installation, name);
      await scope.untilGone(resources.installation, name);
      expect(await versionsOnTarget(scope)).toEqual({});
      const made =
        name === "shop" ? ["DataObject shop-greeting", "DataObject shop-size", "Target cluster"] : ["Target cluster"];
      const names = async (): Promise<string[]> => Object.keys(await versionsOnHub(scope)).toSorted();
      // Kubernetes collects copies and exports with their owners; the comparison after it says what is left.
      await waitFor(async () => isDeepStrictEqual(await names(), made)).catch(() => undefined);
      expect(await names()).toEqual(made);
    }
  });
});
