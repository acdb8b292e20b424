// A client for a server that does what it likes. Limits are small, so that the tests are quick.
import { gzipSync } from "node:zlib";
import { kubeResources } from "@landscaper/api";
import type { ConfigMap } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ConnectionError } from "../client/api-error.ts";
import type { Client } from "../client/client-interface.ts";
import { createClient } from "../client/create-client.ts";
import {
  json,
  reset,
  startScriptedApiServer,
  status,
  type Answer,
  type ScriptedApiServer,
  createFakeClock,
  type FakeClock,
  waitFor,
} from "@landscaper/testkit";
import { createForeignServers, defaultForeignServerLimits } from "./foreign-servers.ts";
import { noMetrics, type ApiRequestSample } from "../observability/metrics-interface.ts";

const { configMap } = kubeResources;
const key = { namespace: "n", name: "a" };
const path = "/api/v1/namespaces/n/configmaps";
const limits = {
  ...defaultForeignServerLimits,
  object: { bytes: 4_000, setting: "targets.requests.maxObjectMiB" },
  list: { bytes: 20_000, setting: "targets.requests.maxListMiB" },
};

let server: ScriptedApiServer;
let clock: FakeClock;
let client: Client;
let openings: number;
let hosts: string[];

beforeEach(async () => {
  server = await startScriptedApiServer();
  clock = createFakeClock();
  openings = 0;
  hosts = [];
  const metrics = {
    ...noMetrics,
    observeCircuitOpening: () => void openings++,
    observeApiRequest: ({ host }: ApiRequestSample) => void hosts.push(host),
  };
  const servers = createForeignServers({ limits, random: () => 1, metrics });
  const connection = { server: server.url };
  client = createClient({ connection, clock, random: () => 0, metrics, foreign: servers.of(connection) });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function newConfigMap(name: string, size = 0): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "n", name }, data: { x: "x".repeat(size) } };
}

function list(items: readonly ConfigMap[], next?: string): Answer {
  return json({ kind: "ConfigMapList", metadata: { resourceVersion: "7", continue: next }, items });
}

/** Sends parts of an object without end; says when the connection was closed. */
function endless(): { readonly answer: Answer; readonly closed: Promise<number> } {
  let close: (sent: number) => void = () => {};
  const closed = new Promise<number>((resolve) => (close = resolve));
  return {
    closed,
    answer: (response) => {
      let sent = 0;
      response.writeHead(200, { "content-type": "application/json" });
      const write = (): void => {
        while (!response.destroyed) {
          sent += 64;
          if (!response.write("x".repeat(64))) break;
        }
      };
      response.on("drain", write).on("close", () => close(sent));
      write();
    },
  };
}

/** The beginning of an answer, and nothing more. */
const stalled: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write("{");
};

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no error",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

it("the metrics of requests do not have the names of servers that users choose", async () => {
  server.script(json(newConfigMap("a")));
  await client.get(configMap, key);
  expect(hosts).toEqual(["targets"]);
});

describe("an answer that is too large", () => {
  it("is a final error that names place, limit, and setting, and is not read on", async () => {
    const { answer, closed } = endless();
    server.script(answer);
    const error: unknown = await client.get(configMap, key).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: `GET ${path}/a: the answer of ${server.url} is larger than the allowed 4000 bytes`,
      reason: "ContentTooLarge",
      hint: "ask for less, or raise targets.requests.maxObjectMiB in the configuration of the service",
      retry: "never",
    });
    // What fits into the buffers of both sides of a connection.
    expect(await closed).toBeLessThan(2 ** 24);
    expect(server.requests.length).toBe(1);
  });

  it("may be as large as the limit", async () => {
    const object = newConfigMap("a", 3_800);
    server.script(json(object));
    expect(await client.get(configMap, key)).toEqual(object);
  });

  it("stays as small as it was sent when it is packed", async () => {
    const packed = gzipSync(JSON.stringify(newConfigMap("a", 1024 * 1024)), { level: 9 });
    server.script((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
    });
    const message = await messageOf(client.create(configMap, newConfigMap("a")));
    expect(message).toContain("the answer is packed, which the request did not ask for");
    expect(server.requests.map(({ headers }) => headers["accept-encoding"])).toEqual([undefined]);
  });

  it.each([
    ["JSON", Buffer.from('["hunter2"')],
    ["a text in UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("that is not %s is read once and not quoted", async (what, answer) => {
    server.script((response) => void response.writeHead(200).end(answer));
    expect(await messageOf(client.get(configMap, key))).toMatch(new RegExp(`\\(the answer is not ${what}\\)$`));
    expect(server.requests.length).toBe(1);
  });

  it("of an error is read in part", async () => {
    server.script((response) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end("x".repeat(100_000));
    });
    expect(await messageOf(client.get(configMap, key))).toMatch(/^GET \/api\/v1\/namespaces\/n\/configmaps\/a: 404 /);
  });

  it("in an event ends the watch", async () => {
    server.script(endless().answer);
    const watch = client.watch(configMap, { resourceVersion: "1" })[Symbol.asyncIterator]();
    expect(await messageOf(watch.next())).toBe(
      `WATCH /api/v1/configmaps: the answer of ${server.url} is larger than the allowed 4000 bytes`,
    );
  });

  it("does not rest the server: it has answered", async () => {
    for (let count = 0; count < 4; count++) {
      server.script(endless().answer);
      expect(await messageOf(client.get(configMap, key))).toContain("is larger than the allowed");
    }
    expect(openings).toBe(0);
  });
});

describe("a list", () => {
  it("comes in pages", async () => {
    server.script(list([newConfigMap("a")], "more"), list([newConfigMap("b")]));
    const { items } = await client.list(configMap, { namespace: "n" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(server.requests.map(({ query }) => query)).toEqual([{ limit: "250" }, { limit: "250", continue: "more" }]);
  });

  it("of large objects comes in smaller pages", async () => {
    const objects = Array.from({ length: 5 }, (_, index) => newConfigMap(`large-${index}`, 3_000));
    server.setDefault((response, request) => {
      const from = Number(request.query["continue"] ?? 0);
      const to = from + Number(request.query["limit"]);
      return list(objects.slice(from, to), to < objects.length ? String(to) : undefined)(response, request);
    });
    const { items } = await client.list(configMap, { namespace: "n" });
    expect(items).toEqual(objects);
    expect(server.requests.map(({ query }) => query["limit"])).toEqual(["250", "7", "1", "1", "1", "1", "1"]);
  });

  it("that is too large in total is an error", async () => {
    server.setDefault((response, request) => list([newConfigMap("a", 7_000)], "more")(response, request));
    const error: unknown = await client.list(configMap, { namespace: "n" }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "ContentTooLarge",
      hint: "ask for less, or raise targets.requests.maxListMiB in the configuration of the service",
    });
    expect(server.requests.length).toBe(3);
  });

  it("without end is an error, also when its pages hold nothing", async () => {
    server.setDefault((response, request) => list([], "more")(response, request));
    expect(await messageOf(client.list(configMap, { namespace: "n" }))).toContain("is larger than the allowed");
    expect(server.requests.length).toBeLessThanOrEqual(2_000);
  });
});

describe("a server that does not answer in time", () => {
  it("fails the request when its total time is over, however many parts have come", async () => {
    server.script(stalled);
    const asked = messageOf(client.get(configMap, key));
    await waitFor(() => server.requests.length === 1);
    await clock.advance(60_000);
    expect(await asked).toBe(`GET ${path}/a: no answer from ${server.url} (no complete answer within 60 s)`);
    // It was slow: the request is not repeated, whoever made it may be.
    expect(server.requests.length).toBe(1);
  });

  it("leaves no timer behind", async () => {
    server.script(json(newConfigMap("a")));
    await client.get(configMap, key);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a server that breaks off three times in a row", () => {
  const brokenOff = "the connection was closed before the answer was complete; check that the server runs";
  const write = (): Promise<string> => messageOf(client.create(configMap, newConfigMap("a")));

  async function fail(times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      server.script(reset);
      expect(await write()).toContain("no answer from");
    }
  }

  it("is not asked for a while, and the error says until when", async () => {
    await fail(3);
    const error: unknown = await client.create(configMap, newConfigMap("a")).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: `POST ${path}: no answer from ${server.url} (the server did not answer 3 times in a row; the next try is at 2026-01-01T00:00:05Z; last failure: ${brokenOff})`,
      maybeSent: false,
      retryAfterMs: 5_000,
    });
    expect([server.requests.length, openings]).toEqual([3, 1]);
  });

  it("is asked again by one request, and then by all", async () => {
    await fail(3);
    await clock.advance(5_000);
    server.setDefault(json(newConfigMap("a")));
    const answers = await Promise.all([write(), write()]);
    expect(answers).toEqual([
      "no error",
      `POST ${path}: no answer from ${server.url} (the server did not answer 3 times in a row; the next try is at 2026-01-01T00:00:06Z; last failure: ${brokenOff})`,
    ]);
    expect(await write()).toBe("no error");
  });

  it.each([-3_600_000, 3_600_000])(
    "is asked again after the same span when the clock is set by %i ms",
    async (byMs) => {
      await fail(3);
      clock.setTimeOfDay(byMs);
      server.setDefault(json(newConfigMap("a")));
      await clock.advance(4_999);
      expect(await write()).toContain("the next try is at");
      await clock.advance(1);
      expect(await write()).toBe("no error");
    },
  );

  it.each([401, 403, 500, 503])("but not one that answers %i", async (code) => {
    for (let count = 0; count < 5; count++) {
      server.script(status({ code }));
      expect(await write()).toContain(`: ${code} scripted`);
    }
    expect(openings).toBe(0);
  });
});

describe("createForeignServers", () => {
  it("shares the state of equal connections, and keeps users of one server apart", () => {
    const servers = createForeignServers();
    const connection = { server: "https://a", token: "one" };
    expect(servers.of({ ...connection }).breaker).toBe(servers.of(connection).breaker);
    expect(servers.of({ ...connection, token: "two" }).breaker).not.toBe(servers.of(connection).breaker);
  });

  it("forgets the servers that were asked for least recently", () => {
    const servers = createForeignServers();
    const { breaker } = servers.of({ server: "https://first" });
    const kept = servers.of({ server: "https://kept" });
    for (let index = 0; index < 1_999; index++) servers.of({ server: `https://${index}` });
    expect(servers.of({ server: "https://kept" }).breaker).toBe(kept.breaker);
    expect(servers.of({ server: "https://first" }).breaker).not.toBe(breaker);
  });
});
