import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { type TestApi, createTestApi } from "@landscaper/testkit";
import { ListSnapshots } from "./list-objects.ts";

const at = "/api/v1/namespaces/pages/configmaps";
const namesOf = (body: unknown) =>
  (fieldAt(body, "items") as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
const continueOf = (body: unknown) => stringAt(body, "metadata", "continue");

describe("lists in pages", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
    await api.post("/api/v1/namespaces", { metadata: { name: "pages" } });
    await api.until(`${at}/kube-root-ca.crt`, ({ code }) => code === 200);
    for (const name of ["a", "b", "c", "d"]) await api.post(at, { metadata: { name, labels: { page: "x" } } });
  });
  afterAll(() => cluster.stop());

  it("show one moment, whatever happens between the pages", async () => {
    const first = await api.get(`${at}?limit=2&labelSelector=page`);
    expect([namesOf(first.body), fieldAt(first.body, "metadata", "remainingItemCount")]).toEqual([["a", "b"], 2]);
    await api.delete(`${at}/d`);
    await api.post(at, { metadata: { name: "bb", labels: { page: "x" } } });
    const second = await api.get(`${at}?limit=1&labelSelector=page&continue=${continueOf(first.body)}`);
    const third = await api.get(`${at}?limit=1&labelSelector=page&continue=${continueOf(second.body)}`);
    expect([namesOf(second.body), namesOf(third.body), continueOf(third.body)]).toEqual([["c"], ["d"], ""]);
    expect(stringAt(third.body, "metadata", "resourceVersion")).toBe(
      stringAt(first.body, "metadata", "resourceVersion"),
    );
  });

  it("cannot be continued after a compaction", async () => {
    const first = await api.get(`${at}?limit=1`);
    await api.post(at, { metadata: { name: "later" } });
    cluster.compact();
    const second = await api.get(`${at}?limit=1&continue=${continueOf(first.body)}`);
    expect([second.code, stringAt(second.body, "reason")]).toEqual([410, "Expired"]);
  });

  it("refuse a token that is none", async () => {
    const { code, body } = await api.get(`${at}?limit=1&continue=zzz`);
    expect([code, stringAt(body, "message")]).toEqual([400, "invalid continue token: continue key is not valid"]);
  });

  it("do not know the future or the past", async () => {
    const future = await api.get(`${at}?resourceVersion=999999`);
    expect([future.code, stringAt(future.body, "reason"), fieldAt(future.body, "details", "causes")]).toEqual([
      504,
      "Timeout",
      [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    ]);
    expect((await api.get(`${at}?resourceVersion=1&resourceVersionMatch=Exact`)).code).toBe(410);
    expect((await api.get(`${at}?resourceVersion=1&resourceVersionMatch=NotOlderThan`)).code).toBe(200);
  });
});

describe("ListSnapshots", () => {
  it("forgets the oldest of too many lists", () => {
    const snapshots = new ListSnapshots(2);
    const ids = [1, 2, 3].map((revision) => snapshots.keep({ revision, objects: [] }));
    expect(ids.map((id) => snapshots.find(id)?.revision)).toEqual([undefined, 2, 3]);
  });
});
