import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { type TestApi, createTestApi } from "@landscaper/testkit";

describe("garbage collection", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  let namespace = "";
  let count = 0;
  const at = (name = "") => `/api/v1/namespaces/${namespace}/configmaps${name === "" ? "" : `/${name}`}`;
  const isGone = ({ code }: { code: number }) => code === 404;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());

  const inNamespace = (run: () => Promise<void>) => async () => {
    count += 1;
    namespace = `gc-${count}`;
    await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
    await run();
  };
  const create = async (name: string, metadata: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const { body } = await api.post(at(), { metadata: { name, ...metadata } });
    return { apiVersion: "v1", kind: "ConfigMap", name, uid: stringAt(body, "metadata", "uid") };
  };

  it(
    "deletes what a deleted owner leaves, and what that leaves",
    inNamespace(async () => {
      const owner = await create("owner");
      const child = await create("child", { ownerReferences: [owner] });
      await create("grandchild", { ownerReferences: [child] });
      await api.delete(at("owner"));
      await api.until(at("grandchild"), isGone);
      expect((await api.get(at("child"))).code).toBe(404);
    }),
  );

  it(
    "keeps what another owner still owns and drops the reference to the one that is gone",
    inNamespace(async () => {
      const [first, second] = [await create("first"), await create("second")];
      await create("child", { ownerReferences: [first, second] });
      await api.delete(at("first"));
      const { body } = await api.until(at("child"), (reply) => !JSON.stringify(reply.body).includes('"first"'));
      expect(fieldAt(body, "metadata", "ownerReferences")).toEqual([second]);
    }),
  );

  it(
    "takes an object of the owner's name but another uid for absent",
    inNamespace(async () => {
      const owner = await create("owner");
      await create("child", { ownerReferences: [{ ...owner, uid: "another" }] });
      await api.until(at("child"), isGone);
      expect((await api.get(at("owner"))).code).toBe(200);
    }),
  );

  it(
    "leaves objects alone whose owner's kind it does not know",
    inNamespace(async () => {
      await create("child", { ownerReferences: [{ apiVersion: "x.y/v1", kind: "Thing", name: "t", uid: "u" }] });
      await create("stray", { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "u" }] });
      await api.until(at("stray"), isGone);
      expect((await api.get(at("child"))).code).toBe(200);
    }),
  );

  it(
    "deletes dependents before their owner in the foreground",
    inNamespace(async () => {
      const owner = await create("owner");
      await create("child", {
        ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
        finalizers: ["example.com/hold"],
      });
      await create("free", { ownerReferences: [owner] });
      const { body } = await api.delete(at("owner"), { propagationPolicy: "Foreground" });
      expect(fieldAt(body, "metadata", "finalizers")).toEqual(["foregroundDeletion"]);
      await api.until(at("free"), isGone);
      await api.until(at("child"), (reply) => fieldAt(reply.body, "metadata", "deletionTimestamp") !== undefined);
      expect((await api.get(at("owner"))).code).toBe(200);
      await api.patch(at("child"), { metadata: { finalizers: null } });
      await api.until(at("owner"), isGone);
    }),
  );

  it(
    "waits in the foreground for whole trees",
    inNamespace(async () => {
      const owner = await create("owner");
      const child = await create("child", { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] });
      await create("grandchild", {
        ownerReferences: [{ ...child, blockOwnerDeletion: true }],
        finalizers: ["example.com/hold"],
      });
      await api.delete(at("owner"), { propagationPolicy: "Foreground" });
      await api.until(at("grandchild"), (reply) => fieldAt(reply.body, "metadata", "deletionTimestamp") !== undefined);
      expect([(await api.get(at("owner"))).code, (await api.get(at("child"))).code]).toEqual([200, 200]);
      await api.patch(at("grandchild"), { metadata: { finalizers: null } });
      await api.until(at("owner"), isGone);
      expect((await api.get(at("child"))).code).toBe(404);
    }),
  );

  it(
    "lets dependents go when their owner is deleted as an orphanage",
    inNamespace(async () => {
      const owner = await create("owner");
      await create("child", { ownerReferences: [owner], labels: { still: "here" } });
      await api.delete(at("owner"), { propagationPolicy: "Orphan" });
      await api.until(at("owner"), isGone);
      const { body } = await api.get(at("child"));
      expect(fieldAt(body, "metadata", "labels")).toEqual({ still: "here" });
      expect(fieldAt(body, "metadata", "ownerReferences")).toBeUndefined();
    }),
  );

  it(
    "keeps dependents whose finalizers keep them",
    inNamespace(async () => {
      const owner = await create("owner");
      await create("child", { ownerReferences: [owner], finalizers: ["example.com/hold"] });
      await api.delete(at("owner"));
      await api.until(at("child"), (reply) => fieldAt(reply.body, "metadata", "deletionTimestamp") !== undefined);
      await api.patch(at("child"), { metadata: { finalizers: null } });
      expect((await api.get(at("child"))).code).toBe(404);
    }),
  );

  it(
    "collects a hundred dependents of one owner",
    inNamespace(async () => {
      const owner = await create("owner");
      await Promise.all(Array.from({ length: 100 }, (_, i) => create(`child-${i}`, { ownerReferences: [owner] })));
      await api.delete(at("owner"));
      await api.until(`${at()}?limit=5`, (reply) => (fieldAt(reply.body, "items") as unknown[]).length === 1);
    }),
  );
});
