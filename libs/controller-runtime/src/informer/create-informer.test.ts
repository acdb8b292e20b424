import { describe, expect, it } from "@jest/globals";
import { createInformer } from "./create-informer.ts";
import { openWatch, status, watchLines, waitFor } from "@landscaper/testkit";
import {
  useInformerFixture,
  configMap,
  item,
  list,
  event,
  server,
  clock,
  client,
  log,
  stop,
  runs,
  counted,
  start,
  requested,
  passTimeUntil,
} from "../../test/informer-fixture.ts";

useInformerFixture();

function bookmark(resourceVersion: string): object {
  return { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion } } };
}

describe("list and watch", () => {
  it("tells what is there, then what happens", async () => {
    const watch = openWatch(event("ADDED", item("b", "11")), event("MODIFIED", item("a", "12")));
    server.script(list("10", item("a", "5")), watch.answer);
    const { informer, seen } = start();
    expect(informer.hasSynced).toBe(false);
    await informer.waitForSync(stop.signal);
    expect(informer.hasSynced).toBe(true);
    await waitFor(() => seen.length === 3);
    watch.say(event("DELETED", item("b", "13")));
    await waitFor(() => seen.length === 4);
    expect(seen).toEqual(["add a@5", "add b@11", "update 5 to a@12", "delete b@13"]);
    expect(requested()).toEqual(["list", "watch from 10"]);
    expect(server.requests[0]?.query).toEqual({ limit: "500" });
    expect(server.requests[1]?.query).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: "10",
      timeoutSeconds: "300",
    });
    expect(counted).toEqual(["relist", "add", "add", "update", "delete"]);
  });

  it("passes its selection on", async () => {
    server.script(list("10"));
    const { informer } = start({
      namespace: "n",
      labelSelector: "a=b",
      fieldSelector: "metadata.name=x",
      metadataOnly: true,
    });
    await informer.waitForSync(stop.signal);
    await waitFor(() => server.requests.length === 2);
    for (const { path, query, headers } of server.requests) {
      expect(path).toBe("/api/v1/namespaces/n/configmaps");
      expect(query).toMatchObject({ labelSelector: "a=b", fieldSelector: "metadata.name=x" });
      expect(headers.accept).toContain("as=PartialObjectMetadata");
    }
  });

  it("keeps frozen objects without managed fields", async () => {
    server.script(list("10", item("a", "5")));
    const { informer } = start();
    await informer.waitForSync(stop.signal);
    const object = informer.lister.get({ namespace: "n", name: "a" })!;
    expect(Object.keys(object.metadata)).toEqual(["namespace", "name", "uid", "resourceVersion"]);
    expect(() => {
      object.metadata.name = "b";
    }).toThrow(TypeError);
    expect(() => {
      object.data!["a"] = "c";
    }).toThrow(TypeError);
  });

  it("keeps metadata alone when that is all that was asked for, though the server gives more", async () => {
    server.script(list("10", item("a", "5")));
    const { informer } = start({ metadataOnly: true });
    await informer.waitForSync(stop.signal);
    expect(Object.keys(informer.lister.list()[0]!)).toEqual(["apiVersion", "kind", "metadata"]);
  });

  it("tells a handler that comes late what is there already", async () => {
    server.script(list("10", item("a", "5")));
    const { informer } = start();
    await informer.waitForSync(stop.signal);
    const late: string[] = [];
    informer.addHandler({ onAdd: ({ metadata }) => void late.push(metadata.name ?? "") });
    expect(late).toEqual(["a"]);
  });

  it("survives a handler that throws", async () => {
    server.script(list("10", item("a", "5")));
    const informer = createInformer({ client, type: configMap, clock, log });
    const seen: string[] = [];
    informer.addHandler({
      onAdd: () => {
        throw new Error("boom");
      },
    });
    informer.addHandler({ onAdd: ({ metadata }) => void seen.push(metadata.name ?? "") });
    runs.push(informer.run(stop.signal));
    await informer.waitForSync(stop.signal);
    expect(seen).toEqual(["a"]);
    expect(log.lines).toMatchObject([
      { level: "error", msg: "an event handler has thrown", error: { message: "boom" } },
    ]);
  });

  it("gives up waiting for the sync when its caller does", async () => {
    server.setDefault(() => {});
    const { informer } = start();
    const reason = new Error("enough");
    await expect(informer.waitForSync(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("going on", () => {
  it("watches on from the last version when the server ends the watch, without a pause", async () => {
    server.script(list("10"), watchLines(event("ADDED", item("a", "11"))), watchLines(event("ADDED", item("b", "12"))));
    const { seen } = start();
    await waitFor(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "watch from 11", "watch from 12"]);
    expect(seen).toEqual(["add a@11", "add b@12"]);
    expect(log.lines).toEqual([]);
  });

  it("watches on from the last bookmark", async () => {
    server.script(list("10"), watchLines(event("ADDED", item("a", "11")), bookmark("90")));
    const { seen } = start();
    await waitFor(() => requested().length === 3);
    expect(requested().at(-1)).toBe("watch from 90");
    expect(seen).toEqual(["add a@11"]);
  });

  it("watches on after the connection was cut, with a pause", async () => {
    const watch = openWatch(event("ADDED", item("a", "11")));
    server.script(list("10"), watch.answer);
    const { seen } = start();
    await waitFor(() => seen.length === 1);
    watch.cut();
    await waitFor(() => log.lines.length === 1);
    expect(requested()).toEqual(["list", "watch from 10"]);
    await passTimeUntil(() => requested().length === 3);
    expect(requested().at(-1)).toBe("watch from 11");
    expect(log.lines).toMatchObject([
      { level: "warn", kind: "ConfigMap", delayMs: 100, msg: "the watch failed and is set up again" },
    ]);
  });

  it("does not count an event twice that a new watch tells again", async () => {
    server.script(
      list("10"),
      watchLines(event("ADDED", item("a", "11"))),
      watchLines(event("ADDED", item("a", "11")), event("MODIFIED", item("a", "12"))),
    );
    const { seen } = start();
    await waitFor(() => requested().length === 4);
    expect(seen).toEqual(["add a@11", "update 11 to a@12"]);
  });

  it("drops half a line at the end of a cut stream", async () => {
    server.script(list("10"), (response) => {
      response.write(`${JSON.stringify(event("ADDED", item("a", "11")))}\n{"type":"ADDED","object":{"meta`);
      response.end();
    });
    const { seen } = start();
    await waitFor(() => requested().length === 3);
    expect(requested().at(-1)).toBe("watch from 11");
    expect(seen).toEqual(["add a@11"]);
  });

  it.each([
    ["a line that is not JSON", "hunter2\n"],
    ["an event of unknown type", '{"type":"SURPRISE","object":{"text":"hunter2"}}\n'],
  ])("watches on after %s, and repeats nothing of it", async (problem, line) => {
    server.script(list("10"), (response) => {
      response.write(`${JSON.stringify(event("ADDED", item("a", "11")))}\n${line}`);
    });
    const { seen } = start();
    await passTimeUntil(() => requested().length === 3);
    expect([requested().at(-1), seen]).toEqual(["watch from 11", ["add a@11"]]);
    expect(log.lines).toMatchObject([
      { error: { message: expect.stringContaining(`(the watch stream carried ${problem})`) } },
    ]);
    expect(log.text).not.toContain("hunter2");
  });

  it("reads events that arrive in pieces, inside of characters too", async () => {
    const object = { ...item("a", "11"), data: { text: "größe 🚀" } };
    const bytes = Buffer.from(`${JSON.stringify(event("ADDED", object))}\n`);
    server.script(list("10"), async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const { informer, seen } = start();
    await waitFor(() => seen.length === 1);
    expect(informer.lister.list()[0]?.data).toEqual({ text: "größe 🚀" });
  });

  it("sets a watch up again that says nothing for too long", async () => {
    server.script(list("10"), openWatch().answer);
    start();
    await waitFor(() => requested().length === 2 && clock.pendingTimers > 0);
    await clock.advance(149_000);
    expect(log.lines).toEqual([]);
    await clock.advance(1_000);
    await passTimeUntil(() => requested().length === 3);
    expect(requested().at(-1)).toBe("watch from 10");
    // Nothing has failed: a server may have nothing to say.
    expect(log.lines).toEqual([]);
  });

  it("is not a busy loop when the server ends every watch at once", async () => {
    server.script(list("10"));
    server.setDefault(watchLines());
    start();
    await waitFor(() => log.lines.length === 1);
    expect(requested()).toHaveLength(2);
    await passTimeUntil(() => log.lines.length >= 4);
    expect(log.lines.slice(0, 4).map((line) => line["delayMs"])).toEqual([100, 200, 400, 800]);
  });
});

describe("the end", () => {
  it("resolves when it is stopped, in the middle of a watch and of a pause", async () => {
    server.script(list("10"), status({ code: 503 }));
    const { informer } = start();
    await informer.waitForSync(stop.signal);
    await waitFor(() => log.lines.length === 1);
    stop.abort(new Error("stop"));
    await Promise.all(runs);
    expect(clock.pendingTimers).toBe(0);
  });
});
