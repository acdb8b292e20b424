// Following a kind without keeping its objects; what informers make of lists and events is tested with them.
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import { isForbidden } from "../client/api-error.ts";
import type { Client } from "../client/client-interface.ts";
import { createClient } from "../client/create-client.ts";
import {
  createFakeClock,
  type FakeClock,
  json,
  openWatch,
  startScriptedApiServer,
  status,
  type ScriptedApiServer,
  waitFor,
} from "@landscaper/testkit";
import { reflect, type ReflectOptions } from "./reflect.ts";

const pods = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };

let server: ScriptedApiServer;
let client: Client;
let clock: FakeClock;
let stop: AbortController;
let seen: string[];
let ended: Promise<void>;

beforeEach(async () => {
  server = await startScriptedApiServer();
  clock = createFakeClock();
  client = createClient({ connection: { server: server.url }, clock, random: () => 0 });
  stop = new AbortController();
  seen = [];
  ended = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await ended;
  await client.close();
  await server.close();
});

function start(options: Partial<ReflectOptions<KubeObject>> = {}): void {
  const following: ReflectOptions<KubeObject> = {
    client,
    clock,
    type: pods,
    random: () => 0,
    selection: { namespace: "n", metadataOnly: true },
    listsNothing: true,
    onList: ({ resourceVersion }) => void seen.push(`from ${resourceVersion}`),
    onOpen: () => void seen.push("open"),
    onEvent: (type, { metadata }) => void seen.push(`${type} ${metadata.name}`),
    onFailure: (error, delayMs) => void seen.push(`${isForbidden(error) ? "forbidden" : "failed"} for ${delayMs} ms`),
    ...options,
  };
  ended = reflect(following, stop.signal);
}

const position = (resourceVersion: string) =>
  json({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion }, items: [] });
const event = (name: string, resourceVersion: string) => ({
  type: "MODIFIED",
  object: { metadata: { name, resourceVersion } },
});

it("asks for the place to begin at, and for nothing else", async () => {
  const watch = openWatch();
  server.script(position("7"), watch.answer);
  start();
  await waitFor(() => seen.includes("open"));
  watch.say(event("a", "8"));
  await waitFor(() => seen.length === 3);
  expect(seen).toEqual(["from 7", "open", "MODIFIED a"]);
  expect(server.requests.map(({ path, query }) => [path, query["fieldSelector"], query["resourceVersion"]])).toEqual([
    ["/api/v1/namespaces/n/pods", "metadata.name=None", "0"],
    ["/api/v1/namespaces/n/pods", undefined, "7"],
  ]);
  expect(server.requests.every(({ headers }) => headers.accept?.includes("as=PartialObjectMetadata") === true)).toBe(
    true,
  );
});

it("says when an idle watch is accepted, each time", async () => {
  const first = openWatch();
  server.script(position("7"), first.answer, openWatch().answer);
  start();
  await waitFor(() => seen.includes("open"));
  first.cut();
  await waitFor(() => seen.length === 3);
  await clock.advance(100);
  await waitFor(() => seen.length === 4);
  expect(seen).toEqual(["from 7", "open", "failed for 100 ms", "open"]);
});

it("backs off as its caller wants, by the kind of failure", async () => {
  server.setDefault(status({ code: 403, reason: "Forbidden" }));
  start({ backoffOf: (error) => (isForbidden(error) ? { baseMs: 8000, maxMs: 16_000 } : { baseMs: 2, maxMs: 2 }) });
  for (const [index, delayMs] of [4000, 8000, 8000].entries()) {
    await waitFor(() => seen.length === index + 1);
    await clock.advance(delayMs);
  }
  await waitFor(() => seen.length === 4);
  expect(seen).toEqual([
    "forbidden for 4000 ms",
    "forbidden for 8000 ms",
    "forbidden for 8000 ms",
    "forbidden for 8000 ms",
  ]);
});

it("watches from the start position that it is given, and lists no object", async () => {
  const watch = openWatch();
  server.script(position("9"), watch.answer);
  start({
    from: "7",
    listsNothing: false,
    onBookmark: (resourceVersion) => void seen.push(`bookmark ${resourceVersion}`),
  });
  await waitFor(() => seen.includes("open"));
  watch.say(event("a", "8"));
  watch.say({ type: "BOOKMARK", object: { metadata: { resourceVersion: "9" } } });
  await waitFor(() => seen.length === 3);
  expect(seen).toEqual(["open", "MODIFIED a", "bookmark 9"]);
  expect(server.requests.map(({ query }) => [query["fieldSelector"], query["resourceVersion"]])).toEqual([
    // Whether the server was restored to a state before the position.
    ["metadata.name=None", "0"],
    [undefined, "7"],
  ]);
});

it("lists when the server has lost the history since its start position", async () => {
  server.script(position("90"), status({ code: 410, reason: "Expired" }), position("91"), openWatch().answer);
  start({ from: "7", listsNothing: false });
  await waitFor(() => seen.length === 1);
  await clock.advance(0);
  await waitFor(() => seen.includes("open"));
  expect(seen).toEqual(["failed for 0 ms", "from 91", "open"]);
});

it("reports a server that was restored to a state before its start position", async () => {
  server.script(position("5"), position("5"), openWatch().answer);
  start({ from: "7", listsNothing: false, onRestored: () => void seen.push("restored") });
  await waitFor(() => seen.includes("open"));
  expect(seen).toEqual(["restored", "from 5", "open"]);
});

it("takes no server whose cache is behind for a restored one", async () => {
  server.script(position("5"), position("8"), openWatch().answer);
  start({ from: "7", listsNothing: false, wantsHistory: true, onRestored: () => void seen.push("restored") });
  await waitFor(() => seen.includes("open"));
  expect(seen).toEqual(["open"]);
  expect(server.requests.map(({ query }) => query["resourceVersion"])).toEqual(["0", undefined, "7"]);
});

it.each([401, 403, 404, 500, 503])(
  "keeps its position over answers %d if the caller wants the history",
  async (code) => {
    const refused = status({ code });
    const near = position("7");
    // A server that fails may have been restored since.
    const failure = code < 500 ? [refused] : [refused, near];
    server.script(near, ...failure, ...failure, ...failure, ...failure, openWatch().answer);
    start({ from: "7", listsNothing: false, wantsHistory: true, backoffOf: () => ({ baseMs: 10, maxMs: 10 }) });
    for (let failures = 1; !seen.includes("open"); failures++) {
      await waitFor(() => seen.length >= failures);
      await clock.advance(10);
      if (failures > 6) break;
    }
    expect(seen.filter((line) => line.startsWith("from"))).toEqual([]);
    expect(seen.at(-1)).toBe("open");
    expect(server.requests.at(-1)?.query["resourceVersion"]).toBe("7");
  },
);

it("reads no further event while its caller is not ready", async () => {
  const watch = openWatch();
  server.script(position("7"), watch.answer);
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  start({ ready: () => (seen.includes("MODIFIED a") ? gate : undefined) });
  await waitFor(() => seen.includes("open"));
  watch.say(event("a", "8"));
  watch.say(event("b", "9"));
  await waitFor(() => seen.includes("MODIFIED a"));
  // The second event was sent with the first one.
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).not.toContain("MODIFIED b");
  go();
  await waitFor(() => seen.includes("MODIFIED b"));
});
