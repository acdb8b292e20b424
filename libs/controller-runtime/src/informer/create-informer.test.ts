import { kubeResources } from "@landscaper/api";
import type { ConfigMap } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client-interface.ts";
import { createInformer } from "./create-informer.ts";
import type { SharedInformer } from "./create-informer.ts";
import type { InformerOptions } from "../controller-interface.ts";
import {
  createFakeClock,
  type FakeClock,
  json,
  openWatch,
  reset,
  startScriptedApiServer,
  status,
  watchLines,
  type Answer,
  type ScriptedApiServer,
  createTestLogger,
  type TestLogger,
  waitFor,
} from "@landscaper/testkit";
import { noMetrics } from "../observability/metrics-interface.ts";

const { configMap } = kubeResources;

interface ItemOptions {
  readonly uid?: string;
  readonly labels?: Record<string, string>;
}

function item(name: string, resourceVersion: string, { uid = `uid-${name}`, labels }: ItemOptions = {}): ConfigMap {
  const metadata = { namespace: "n", name, uid, resourceVersion, managedFields: [{ manager: "kubectl" }] };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...metadata, ...(labels ? { labels } : {}) },
    data: { a: "b" },
  };
}

function list(resourceVersion: string, ...items: readonly ConfigMap[]): Answer {
  return json({ kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items });
}

function event(type: "ADDED" | "MODIFIED" | "DELETED", object: ConfigMap): object {
  return { type, object };
}

function bookmark(resourceVersion: string): object {
  return { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion } } };
}

let server: ScriptedApiServer;
let clock: FakeClock;
let client: Client;
let log: TestLogger;
let stop: AbortController;
let runs: Promise<void>[];
let counted: string[];

beforeEach(async () => {
  server = await startScriptedApiServer();
  server.setDefault(openWatch().answer);
  clock = createFakeClock();
  log = createTestLogger();
  client = createClient({ connection: { server: server.url }, clock, random: () => 0 });
  stop = new AbortController();
  runs = [];
  counted = [];
});
afterEach(async () => {
  stop.abort(new Error("the test is over"));
  await Promise.all(runs);
  await client.close();
  await server.close();
});

function start(options: InformerOptions<ConfigMap> = {}): { informer: SharedInformer<ConfigMap>; seen: string[] } {
  const metrics = { ...noMetrics, observeInformer: (_kind: string, what: string) => void counted.push(what) };
  const informer = createInformer({ ...options, client, type: configMap, clock, log, metrics, random: () => 0 });
  const seen: string[] = [];
  const note = (what: string, object: ConfigMap): void =>
    void seen.push(`${what} ${object.metadata.name}@${object.metadata.resourceVersion}`);
  informer.addHandler({
    onAdd: (object) => note("add", object),
    onUpdate: (object, previous) => note(`update ${previous.metadata.resourceVersion} to`, object),
    onDelete: (object) => note("delete", object),
  });
  runs.push(informer.run(stop.signal));
  return { informer, seen };
}

/** The informer's requests as "list" and "watch from <version>". */
function requested(): string[] {
  return server.requests.map(({ query }) =>
    query["watch"] === undefined ? "list" : `watch from ${query["resourceVersion"]}`,
  );
}

/** Lets the time go on until the condition holds. */
async function passTimeUntil(check: () => boolean): Promise<void> {
  await waitFor(
    async () => {
      if (check()) return true;
      if (clock.dueTimes.some((dueMs) => dueMs - clock.now() <= 30_000)) await clock.advance(30_000);
      return false;
    },
    { evenly: true },
  );
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

describe("relist", () => {
  it("lists anew at once when its version is gone (410 as an event)", async () => {
    server.script(
      list("10", item("a", "5"), item("b", "6")),
      watchLines({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } }),
      list("100", item("a", "50"), item("c", "60")),
    );
    const { seen } = start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 100"]);
    expect(seen).toEqual(["add a@5", "add b@6", "delete b@6", "update 5 to a@50", "add c@60"]);
    expect(log.lines).toMatchObject([{ delayMs: 0 }]);
  });

  it("lists anew when its version is gone (410 as an answer)", async () => {
    server.script(list("10"), status({ code: 410, reason: "Expired" }), list("100"));
    start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 100"]);
  });

  it("does not turn in circles when the version is gone again and again", async () => {
    const gone = watchLines({ type: "ERROR", object: { code: 410 } });
    server.script(list("10"), gone, list("20"), gone, list("30"), gone, list("40"));
    start();
    await passTimeUntil(() => requested().length === 8);
    expect(requested().filter((what) => what === "list")).toHaveLength(4);
  });

  it("goes on after any number of failures of the list", async () => {
    const forbidden = status({ code: 403, reason: "Forbidden" });
    server.script(forbidden, forbidden, forbidden, list("10", item("a", "5")));
    const { informer, seen } = start();
    await passTimeUntil(() => informer.hasSynced);
    expect(seen).toEqual(["add a@5"]);
    expect(log.lines.map((line) => line["delayMs"])).toEqual([100, 200, 400]);
    expect(counted.filter((what) => what === "error")).toHaveLength(3);
  });

  it("lists anew when the kind was away", async () => {
    server.script(list("10"), status({ code: 404, reason: "NotFound" }), list("20"));
    start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 20"]);
  });

  it("keeps its place while the server only has trouble", async () => {
    server.script(list("10"), status({ code: 503 }), reset, status({ code: 429 }));
    start();
    await passTimeUntil(() => requested().length === 5);
    expect(requested()).toEqual(["list", "watch from 10", "watch from 10", "watch from 10", "watch from 10"]);
  });

  it("trusts a server that was restored to an older state", async () => {
    const tooLarge = status({ code: 504, reason: "Timeout", message: "Too large resource version" });
    server.script(
      list("1000", item("a", "900"), item("b", "901")),
      tooLarge,
      tooLarge,
      tooLarge,
      list("20", item("a", "15")),
    );
    const { informer, seen } = start();
    await passTimeUntil(() => requested().length === 6);
    expect(seen).toEqual(["add a@900", "add b@901", "delete b@901", "update 900 to a@15"]);
    expect(informer.lister.list()).toHaveLength(1);
  });
});

describe("observe", () => {
  async function startSynced(options: InformerOptions<ConfigMap> = {}, ...items: readonly ConfigMap[]) {
    const watch = openWatch();
    server.script(list("10", ...items), watch.answer);
    const started = start(options);
    await started.informer.waitForSync(stop.signal);
    await waitFor(() => requested().length === 2);
    return { ...started, say: (line: object) => watch.say(line) };
  }

  it("shows an own write at once, and the watch's echo of it changes nothing", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "11"));
    expect(seen).toEqual(["add a@5", "update 5 to a@11"]);
    say(event("MODIFIED", item("a", "11")));
    say(event("ADDED", item("end", "12")));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "update 5 to a@11", "add end@12"]);
  });

  it("does not go back when the watch is behind the own writes", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "11"));
    informer.observe(item("a", "12"));
    say(event("MODIFIED", item("a", "11")));
    say(event("MODIFIED", item("a", "13")));
    await waitFor(() => seen.length === 4);
    expect(seen).toEqual(["add a@5", "update 5 to a@11", "update 11 to a@12", "update 12 to a@13"]);
  });

  it("does not let the caller's later changes into the store", async () => {
    const { informer } = await startSynced();
    const answer = item("a", "11");
    informer.observe(answer);
    answer.data!["a"] = "changed";
    expect(informer.lister.list()[0]?.data).toEqual({ a: "b" });
  });

  it("does not resurrect what the watch has seen deleted", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    say(event("DELETED", item("a", "12")));
    await waitFor(() => seen.length === 2);
    informer.observe(item("a", "11"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("does not resurrect what was made and deleted before the list", async () => {
    const { informer } = await startSynced();
    informer.observe(item("short-lived", "9"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("removes an object whose last finalizer an own write took", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    const answer = item("a", "11");
    informer.observe({ ...answer, metadata: { ...answer.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    expect(informer.lister.list()).toEqual([]);
    say(event("MODIFIED", item("a", "10")));
    say(event("DELETED", item("a", "12")));
    say(event("ADDED", item("a", "13", { uid: "second" })));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "delete a@11", "add a@13"]);
  });

  it("removes an object that an own delete has removed, and drops the late news of it", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observeDeletion({ namespace: "n", name: "a" }, "uid-a");
    say(event("MODIFIED", item("a", "11")));
    say(event("DELETED", item("a", "12")));
    say(event("ADDED", item("end", "13")));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "delete a@5", "add end@13"]);
  });

  it("takes an own write in before the first list, which may be older", async () => {
    let answerList = (): void => {};
    server.script((response, request) => {
      answerList = () => void list("10", item("a", "5"))(response, request);
    });
    const { informer, seen } = start();
    await waitFor(() => server.requests.length === 1);
    informer.observe(item("a", "11"));
    informer.observe(item("b", "12"));
    answerList();
    await informer.waitForSync(stop.signal);
    expect(seen).toEqual(["add a@11", "add b@12"]);
    expect(informer.lister.list()).toHaveLength(2);
  });

  it("leaves out what its selection leaves out", async () => {
    const labels = { app: "web" };
    const { informer, seen } = await startSynced(
      { namespace: "n", labelSelector: "app=web" },
      item("a", "5", { labels }),
    );
    informer.observe(item("other", "11"));
    informer.observe(item("a", "12"));
    expect(seen).toEqual(["add a@5", "delete a@12"]);
    informer.observe(item("a", "13", { labels }));
    expect(seen.at(-1)).toBe("add a@13");
  });

  it("leaves to the watch what only the server can judge", async () => {
    const { informer } = await startSynced({ fieldSelector: "type=Opaque" });
    informer.observe(item("a", "11"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("waits for the watch where versions cannot be compared", async () => {
    const { informer } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "opaque"));
    expect(informer.lister.list()[0]?.metadata.resourceVersion).toBe("5");
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
