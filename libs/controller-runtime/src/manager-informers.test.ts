import type { ConfigMap, KubeObject, ObjectKey, Secret } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import type { Client } from "./client/client-interface.ts";
import {
  useManagerFixture,
  configMap,
  secret,
  cluster,
  client,
  log,
  namespace,
  newManager,
  start,
  newConfigMap,
  addNotingController,
} from "../test/manager-fixture.ts";

useManagerFixture();

describe("a controller with a label selector", () => {
  it("works only on the selected objects, through the informer with this selector", async () => {
    const manager = newManager();
    const labelSelector = "example.org/selected";
    const { lister } = manager.informer(configMap, { labelSelector });
    const keys: ObjectKey[] = [];
    manager.addController({
      name: "selecting",
      for: configMap,
      labelSelector,
      reconcile: (key) => {
        keys.push(key);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await client.create(configMap, newConfigMap("other"));
    await client.create(configMap, newConfigMap("selected", { labels: { [labelSelector]: "yes" } }));
    await waitFor(() => keys.length > 0);
    expect(keys).toEqual([{ namespace, name: "selected" }]);
    expect(lister.list()).toHaveLength(1);
  });
});

describe("owned and watched kinds", () => {
  async function createOwner(name: string): Promise<ConfigMap> {
    return client.create(configMap, newConfigMap(name));
  }

  function ownedSecret(name: string, owner: KubeObject, isController = true): Secret {
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner.metadata.name!, uid: owner.metadata.uid! };
    const ownerReferences = [{ ...reference, controller: isController }];
    return { apiVersion: "v1", kind: "Secret", metadata: { namespace, name, ownerReferences } };
  }

  it("wake the controller owner, and nobody else", async () => {
    const owner = await createOwner("owner");
    const manager = newManager();
    const keys: ObjectKey[] = [];
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      predicate: () => false,
      reconcile: (key) => {
        keys.push(key);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    await client.create(secret, ownedSecret("related", owner, false));
    await client.create(secret, ownedSecret("owned", owner));
    await waitFor(() => keys.length > 0);
    expect(keys).toEqual([{ namespace, name: "owner" }]);
    await client.delete(secret, { namespace, name: "owned" });
    await waitFor(() => keys.length === 2);
  });

  it("wake both owners when an object changes hands", async () => {
    const [first, second] = [await createOwner("first"), await createOwner("second")];
    const manager = newManager();
    const keys: string[] = [];
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      predicate: () => false,
      reconcile: ({ name }) => {
        keys.push(name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const created = await client.create(secret, ownedSecret("owned", first));
    await waitFor(() => keys.length === 1);
    const { ownerReferences } = ownedSecret("owned", second).metadata;
    await client.update(secret, { ...created, metadata: { ...created.metadata, ownerReferences: ownerReferences! } });
    await waitFor(() => keys.length === 3);
    expect(keys.toSorted()).toEqual(["first", "first", "second"]);
  });

  it("enqueue by those updates alone that the predicate lets pass", async () => {
    const manager = newManager();
    const keys: string[] = [];
    manager.addController({
      name: "watcher",
      for: configMap,
      predicate: () => false,
      watches: [
        {
          type: secret,
          map: ({ metadata: { name = "" } }) => (["dropped", "passed"].includes(name) ? [{ namespace, name }] : []),
          updatePredicate: (object, previous) => object.metadata.labels?.["a"] !== previous.metadata.labels?.["a"],
        },
      ],
      reconcile: ({ name }) => {
        keys.push(name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const label = async (name: string, labels: Record<string, string>) =>
      client.patch(secret, { namespace, name }, { type: "merge", body: { metadata: { labels } } });
    for (const name of ["dropped", "passed"]) {
      await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } });
    }
    await waitFor(() => keys.length === 2);
    await label("dropped", { b: "1" });
    await label("passed", { a: "1" });
    await waitFor(() => keys.length === 3);
    await client.delete(secret, { namespace, name: "dropped" });
    await waitFor(() => keys.length === 4);
    expect(keys.slice(2)).toEqual(["passed", "dropped"]);
  });

  it("are held as metadata alone when nobody reads them", async () => {
    const asked: string[] = [];
    const spy: Client = {
      ...client,
      list: (type, options) => {
        asked.push(`${type.kind} ${options?.metadataOnly === true ? "metadata" : "whole"}`);
        return client.list(type, options);
      },
    };
    const manager = newManager({ client: spy });
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      reconcile: () => Promise.resolve(undefined),
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    expect(asked.toSorted()).toEqual(["ConfigMap whole", "Secret metadata"]);
  });

  it("are held as metadata alone when that suffices for those who watch them", async () => {
    const keys: ObjectKey[] = [];
    const asked: string[] = [];
    const spy: Client = {
      ...client,
      list: (type, options) => {
        asked.push(`${type.kind} ${options?.metadataOnly === true ? "metadata" : "whole"}`);
        return client.list(type, options);
      },
    };
    const manager = newManager({ client: spy });
    const map = ({ metadata }: KubeObject): readonly ObjectKey[] => [{ namespace, name: metadata.name ?? "" }];
    manager.addController({
      name: "watcher",
      for: configMap,
      predicate: () => false,
      watches: [{ type: secret, map, metadataSuffices: true }],
      reconcile: (key) => {
        keys.push(key);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "watched" } });
    await waitFor(() => keys.some(({ name }) => name === "watched"));
    expect(asked.toSorted()).toEqual(["ConfigMap whole", "Secret metadata"]);
  });

  it("wake by the informer that the reconciler reads from", async () => {
    const manager = newManager();
    const secrets = manager.informer(secret, { labelSelector: "test=yes" });
    const seen: (string | undefined)[] = [];
    manager.addController({
      name: "reader",
      for: configMap,
      predicate: () => false,
      watches: [{ type: secret, map: ({ metadata }) => [{ namespace, name: metadata.name ?? "" }] }],
      reconcile: (key) => {
        seen.push(secrets.lister.get(key)?.metadata.name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const metadata = { namespace, name: "a", labels: { test: "yes" } };
    await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata });
    await waitFor(() => seen.length === 1);
    expect(seen).toEqual(["a"]);
  });
});

describe("informers", () => {
  it("are shared by kind and selection, indexes merged", () => {
    const manager = newManager();
    const first = manager.informer(configMap, { indexes: { a: () => [] } });
    expect(manager.informer(configMap, { indexes: { b: () => [] } })).toBe(first);
    expect(manager.informer(configMap, { labelSelector: "x=y" })).not.toBe(first);
    expect([first.lister.byIndex("a", ""), first.lister.byIndex("b", "")]).toEqual([[], []]);
  });

  it("run at once when they are asked for late", async () => {
    const manager = newManager();
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const informer = manager.informer(configMap);
    await waitFor(() => informer.hasSynced);
  });

  it("hear of own deletions at once", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    const key = { namespace, name: "a" };
    await manager.client.create(configMap, newConfigMap("a"));
    expect(informer.lister.get(key)).toBeDefined();
    await manager.client.delete(configMap, key);
    expect(informer.lister.get(key)).toBeUndefined();
  });

  it("hear of an object that finalizers keep, and of its end", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    const key = { namespace, name: "kept" };
    await manager.client.create(configMap, newConfigMap("kept", { finalizers: ["example.com/keep"] }));
    await manager.client.delete(configMap, key);
    expect(informer.lister.get(key)?.metadata.deletionTimestamp).toBeDefined();
    await manager.client.patch(configMap, key, { type: "merge", body: { metadata: { finalizers: null } } });
    expect(informer.lister.get(key)).toBeUndefined();
    await manager.client.create(configMap, newConfigMap("kept"));
    expect(informer.lister.get(key)?.metadata.deletionTimestamp).toBeUndefined();
  });

  it("do not hear of dry runs and of other kinds that a write answers with", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    await manager.client.create(configMap, newConfigMap("dry"), { dryRun: true });
    expect(informer.lister.get({ namespace, name: "dry" })).toBeUndefined();
  });

  it("find what has happened while the server was away and its history gone", async () => {
    await client.create(configMap, newConfigMap("old"));
    const manager = newManager();
    const keys = addNotingController(manager);
    void start(manager);
    await waitFor(() => keys.length === 1);
    cluster.setFault(({ verb }) => (verb === "watch" ? "close" : undefined));
    cluster.cutWatches();
    await client.delete(configMap, { namespace, name: "old" });
    await client.create(configMap, newConfigMap("new"));
    cluster.compact();
    cluster.setFault(undefined);
    await waitFor(() => keys.length >= 3);
    expect(keys.toSorted()).toEqual(["new", "old", "old"]);
  });
});
