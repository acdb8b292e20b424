import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import {
  createFakeClock,
  type TestApi,
  createTestApi,
  type StreamedEvent,
  type WatchStream,
  watchStream,
} from "@landscaper/testkit";

const secrets = "/api/v1/namespaces/default/secrets";
const brief = ({ type, object }: StreamedEvent) => [type, stringAt(object, "metadata", "name")];

describe("watch", () => {
  const clock = createFakeClock();
  let cluster: LocalCluster;
  let api: TestApi;
  const open: WatchStream[] = [];
  const watch = async (query: string, path = secrets): Promise<WatchStream> => {
    const stream = await watchStream(api.server, `${path}?watch=1&${query}`);
    open.push(stream);
    return stream;
  };
  const revisionNow = async () => stringAt((await api.get(secrets)).body, "metadata", "resourceVersion");
  beforeEach(async () => {
    cluster = await startLocalCluster({ clock });
    api = createTestApi(cluster);
    await api.post(secrets, { metadata: { name: "a", labels: { x: "1" } }, type: "one" });
  });
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.close();
    await cluster.stop();
  });

  it("starts with what is there when no resourceVersion is given, or 0", async () => {
    for (const query of ["", "resourceVersion=0"]) {
      const stream = await watch(query);
      expect((await stream.take(1)).map(brief)).toEqual([["ADDED", "a"]]);
    }
  });

  it("goes on exactly after a resourceVersion", async () => {
    const from = await revisionNow();
    await api.post(secrets, { metadata: { name: "b" } });
    const stream = await watch(`resourceVersion=${from}`);
    await api.patch(`${secrets}/b`, { metadata: { labels: { x: "1" } } });
    await api.delete(`${secrets}/b`);
    expect((await stream.take(3)).map(brief)).toEqual([
      ["ADDED", "b"],
      ["MODIFIED", "b"],
      ["DELETED", "b"],
    ]);
  });

  it("shows the last state of a deleted object with the revision of the deletion", async () => {
    const stream = await watch(`resourceVersion=${await revisionNow()}`);
    await api.delete(`${secrets}/a`);
    const [event] = await stream.take(1);
    expect(event).toMatchObject({ type: "DELETED", object: { type: "one", metadata: { labels: { x: "1" } } } });
    expect(fieldAt(event!.object, "metadata", "resourceVersion")).toBe(await revisionNow());
  });

  it("says nothing of a write that changes nothing", async () => {
    const stream = await watch(`resourceVersion=${await revisionNow()}`);
    await api.patch(`${secrets}/a`, { metadata: { labels: { x: "1" } } });
    await api.put(`${secrets}/a`, { metadata: { name: "a", labels: { x: "1" } }, type: "one" });
    await api.patch(`${secrets}/a`, { metadata: { labels: { x: "2" } } });
    const [event] = await stream.take(1);
    expect(event!.object).toMatchObject({ metadata: { labels: { x: "2" } } });
  });

  const selectors = ["labelSelector=x%3D1", "fieldSelector=metadata.name%3Da"] as const;
  it("shows an object that leaves the selection as deleted and one that enters it as added", async () => {
    const stream = await watch(`resourceVersion=${await revisionNow()}&${selectors[0]}`);
    await api.patch(`${secrets}/a`, { metadata: { labels: { x: "2" } } });
    await api.patch(`${secrets}/a`, { metadata: { labels: { y: "2" } } });
    await api.patch(`${secrets}/a`, { metadata: { labels: { x: "1" } } });
    await api.patch(`${secrets}/a`, { metadata: { labels: { y: "3" } } });
    const events = await stream.take(3);
    expect(events.map(brief)).toEqual([
      ["DELETED", "a"],
      ["ADDED", "a"],
      ["MODIFIED", "a"],
    ]);
    expect(events[0]!.object).toMatchObject({ metadata: { labels: { x: "1" } } });
  });

  it("selects by fields", async () => {
    const stream = await watch(selectors[1]);
    const typed = await watch("fieldSelector=type%3Dtwo");
    await api.post(secrets, { metadata: { name: "b" }, type: "two" });
    await api.delete(`${secrets}/a`);
    expect((await stream.take(2)).map(brief)).toEqual([
      ["ADDED", "a"],
      ["DELETED", "a"],
    ]);
    expect((await typed.take(1)).map(brief)).toEqual([["ADDED", "b"]]);
  });

  it("looks at one namespace, all namespaces or one object", async () => {
    await api.post("/api/v1/namespaces", { metadata: { name: "other" } });
    const from = await revisionNow();
    const all = await watch(`resourceVersion=${from}`, "/api/v1/secrets");
    const own = await watch(`resourceVersion=${from}`);
    const one = await watch(`resourceVersion=${from}`, `${secrets}/c`);
    await api.post("/api/v1/namespaces/other/secrets", { metadata: { name: "b" } });
    await api.post(secrets, { metadata: { name: "c" } });
    expect((await all.take(2)).map(brief)).toEqual([
      ["ADDED", "b"],
      ["ADDED", "c"],
    ]);
    expect((await own.take(1)).map(brief)).toEqual([["ADDED", "c"]]);
    expect((await one.take(1)).map(brief)).toEqual([["ADDED", "c"]]);
  });

  it("answers a start that is compacted with one error and ends", async () => {
    const from = await revisionNow();
    await api.post(secrets, { metadata: { name: "b" } });
    cluster.compact();
    const stream = await watch(`resourceVersion=${from}`);
    expect(await stream.take(5)).toEqual([
      {
        type: "ERROR",
        object: {
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message: `too old resource version: ${from} (${await revisionNow()})`,
          reason: "Expired",
          code: 410,
        },
      },
    ]);
    expect(await stream.over).toBe("end");
  });

  it("waits for a revision that is still to come", async () => {
    const stream = await watch(`resourceVersion=${Number(await revisionNow()) + 1}`);
    await api.post(secrets, { metadata: { name: "b" } });
    await api.post(secrets, { metadata: { name: "c" } });
    expect((await stream.take(1)).map(brief)).toEqual([["ADDED", "c"]]);
  });

  it("marks the end of the initial events when they are wanted", async () => {
    const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const [added, bookmark] = await (await watch(query)).take(2);
    expect(brief(added!)).toEqual(["ADDED", "a"]);
    expect(bookmark).toEqual({
      type: "BOOKMARK",
      object: {
        kind: "Secret",
        apiVersion: "v1",
        metadata: { resourceVersion: await revisionNow(), annotations: { "k8s.io/initial-events-end": "true" } },
      },
    });
  });

  it("sends a bookmark every minute and at the end to those who want them", async () => {
    const from = await revisionNow();
    const stream = await watch(`resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=90`);
    const plain = await watch(`resourceVersion=${from}&timeoutSeconds=90`);
    await clock.advance(60_000);
    await clock.advance(30_000);
    const bookmark = {
      type: "BOOKMARK",
      object: { kind: "Secret", apiVersion: "v1", metadata: { resourceVersion: from } },
    };
    expect(await stream.take(5)).toEqual([bookmark, bookmark]);
    expect(await plain.take(5)).toEqual([]);
    expect([await stream.over, await plain.over]).toEqual(["end", "end"]);
  });

  it("writes tables whose first one has the headers, and metadata alone", async () => {
    const table = await watchStream(api.server, `${secrets}?watch=1`, "application/json;as=Table;v=v1;g=meta.k8s.io");
    const partial = await watchStream(
      api.server,
      `${secrets}?watch=1`,
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    );
    open.push(table, partial);
    await api.patch(`${secrets}/a`, { metadata: { labels: { x: "2" } } });
    const [first, second] = await table.take(2);
    expect(first!.object).toMatchObject({ kind: "Table", columnDefinitions: [{ name: "Name" }, {}, {}, {}] });
    expect(second!.object).toMatchObject({
      kind: "Table",
      columnDefinitions: null,
      rows: [{ cells: ["a", "one", 0, "0s"] }],
    });
    const [metadata] = await partial.take(1);
    expect(metadata!.object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
    expect(metadata!.object).not.toHaveProperty("type");
  });

  it("shows events of both groups in the form that was asked for", async () => {
    const core = await watch("", "/api/v1/namespaces/default/events");
    const current = await watch("", "/apis/events.k8s.io/v1/namespaces/default/events");
    await api.post("/apis/events.k8s.io/v1/namespaces/default/events", {
      metadata: { name: "e" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "c",
      reportingInstance: "i",
      action: "Do",
      reason: "Done",
      type: "Normal",
      regarding: { kind: "Secret", name: "a", namespace: "default" },
      note: "hello",
    });
    const [old] = await core.take(1);
    const [recent] = await current.take(1);
    expect(old!.object).toMatchObject({ apiVersion: "v1", message: "hello", involvedObject: { name: "a" } });
    expect(recent!.object).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "hello", regarding: { name: "a" } });
  });

  it("refuses what a list would refuse", async () => {
    const ask = async (query: string) => fieldAt((await api.get(`${secrets}?watch=1&${query}`)).body, "message");
    expect(await ask("resourceVersion=x")).toBe(
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    );
    expect(await ask("labelSelector=%3D")).toBe("found '=', expected: !, identifier, or 'end of string'");
  });
});
