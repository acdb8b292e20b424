import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import type { ConfigMap } from "@landscaper/api";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ApiError, ConnectionError, isAlreadyExists, isConflict, isGone, isNotFound, isTooLarge } from "./api-error.ts";
import type { Client } from "./client-interface.ts";
import { createClient } from "./create-client.ts";
import type { ClientOptions } from "./create-client.ts";
import {
  createFakeClock,
  type FakeClock,
  json,
  reset,
  startScriptedApiServer,
  status,
  type Answer,
  type ScriptedApiServer,
  waitFor,
} from "@landscaper/testkit";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { ApiRequestSample } from "../observability/metrics-interface.ts";

const { configMap, namespace: namespaceType } = kubeResources;
const key = { namespace: "n", name: "a" };
const path = "/api/v1/namespaces/n/configmaps/a";
const object: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "n", name: "a" },
  data: { x: "1" },
};
const stored: ConfigMap = { ...object, metadata: { ...object.metadata, uid: "u", resourceVersion: "7" } };

let server: ScriptedApiServer;
let clock: FakeClock;
let client: Client;
let samples: ApiRequestSample[];

function createTestClient(options: Partial<ClientOptions> = {}): Client {
  const metrics = { ...noMetrics, observeApiRequest: (sample: ApiRequestSample) => void samples.push(sample) };
  const connection = { server: server.url, token: "secret-token" };
  return createClient({ connection, clock, metrics, random: () => 0, userAgent: "test/1.0", ...options });
}

beforeEach(async () => {
  server = await startScriptedApiServer();
  clock = createFakeClock();
  samples = [];
  client = createTestClient();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

/** Lets the fake time run until the promise is settled. */
async function runTime<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await waitFor(
    async () => {
      if (clock.pendingTimers > 0) await clock.advance(60_000);
      return isSettled;
    },
    { evenly: true },
  );
  return promise;
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("get and find", () => {
  it("asks for the object as itself", async () => {
    server.script(json(stored));
    expect(await client.get(configMap, key)).toEqual(stored);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "GET", path, query: {}, body: "" });
    expect(request?.headers).toMatchObject({
      accept: "application/json",
      authorization: "Bearer secret-token",
      "user-agent": "test/1.0",
    });
  });

  it("fails for a missing object with what was asked and what the server said", async () => {
    server.script(status({ code: 404, reason: "NotFound", message: 'configmaps "a" not found' }));
    const error = await errorOf(client.get(configMap, key));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: `GET ${path}: 404 configmaps "a" not found`,
      status: 404,
      reason: "NotFound",
      method: "GET",
      path,
    });
    expect(isNotFound(error)).toBe(true);
  });

  it.each([
    [413, "Request entity too large: limit is 3145728", true],
    [500, "etcdserver: request is too large", true],
    [500, "rpc error: code = ResourceExhausted desc = trying to send message larger than max (9 vs. 8)", true],
    [500, "etcdserver: leader changed", false],
    [422, "spec: Too long: may not be more than 8 bytes", false],
  ])("tells objects that are too large for server or store from other failures: %i %s", async (code, message, want) => {
    server.script(status({ code, reason: "", message }));
    expect(isTooLarge(await errorOf(client.create(configMap, object)))).toBe(want);
  });

  it("finds nothing where nothing is", async () => {
    server.script(status({ code: 404, reason: "NotFound" }));
    expect(await client.find(configMap, key)).toBeUndefined();
  });

  it("does not take other failures for absence", async () => {
    server.script(status({ code: 403, reason: "Forbidden", message: "no" }));
    expect(await errorOf(client.find(configMap, key))).toMatchObject({ status: 403 });
  });

  it("keeps the path prefix of the server", async () => {
    const prefixed = createTestClient({ connection: { server: `${server.url}/k8s/clusters/c-1/` } });
    server.script(json(stored));
    await prefixed.get(configMap, key);
    expect(server.requests[0]?.path).toBe(`/k8s/clusters/c-1${path}`);
    await prefixed.close();
  });

  it("repeats nothing of an answer that is not JSON", async () => {
    const broken: Answer = (response) => void response.end("hunter2");
    server.script(broken, json(stored));
    expect(await runTime(client.get(configMap, key))).toEqual(stored);
    server.script(broken);
    const error = await errorOf(client.create(configMap, object));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/ \(the answer is not JSON\)$/);
  });

  it("says it when the answer is no object", async () => {
    server.script(json({ kind: "Status" }));
    expect(await errorOf(client.get(configMap, key))).toEqual(
      new TypeError('the API server answered with no ConfigMap but kind "Status"'),
    );
  });
});

describe("credentials", () => {
  it("asks for a changing token before every request", async () => {
    let count = 0;
    const changing = createTestClient({
      connection: { server: server.url, getToken: () => Promise.resolve(`token-${++count}`) },
    });
    server.setDefault(json(stored));
    await changing.get(configMap, key);
    await changing.get(configMap, key);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
    await changing.close();
  });

  it("asks for another token when the server refuses one, once, also for a write", async () => {
    const dropped: string[] = [];
    let count = 0;
    const changing = createTestClient({
      connection: {
        server: server.url,
        getToken: () => Promise.resolve(`token-${++count}`),
        dropToken: (refused) => void dropped.push(refused),
      },
    });
    const unauthorized = json({ kind: "Status", reason: "Unauthorized", code: 401 }, 401);
    server.script(unauthorized, json(stored), unauthorized, unauthorized);
    await changing.create(configMap, object);
    expect(await errorOf(changing.create(configMap, object))).toMatchObject({ status: 401 });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      [1, 2, 3, 4].map((number) => `Bearer token-${number}`),
    );
    expect(dropped).toEqual(["token-1", "token-3"]);
    await changing.close();
  });

  it("says why there is no token", async () => {
    const problem = new LandscaperError({ message: "no account", reason: "TokenRequestFailed" });
    const without = createTestClient({ connection: { server: server.url, getToken: () => Promise.reject(problem) } });
    expect(await errorOf(without.get(configMap, key))).toBe(problem);
    expect(server.requests).toEqual([]);
    await without.close();
  });

  it("sends user and password, and other headers", async () => {
    const connection = { server: server.url, username: "me", password: "pass", headers: { "impersonate-user": "you" } };
    const basic = createTestClient({ connection });
    server.script(json(stored));
    await basic.get(configMap, key);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("me:pass").toString("base64")}`,
      "impersonate-user": "you",
    });
    await basic.close();
  });
});

describe("list", () => {
  it("follows the pages and gives the version of the first", async () => {
    const page = (name: string, more: object) => json({ metadata: more, items: [{ metadata: { name } }] });
    server.script(
      page("a", { resourceVersion: "10", continue: "t1" }),
      page("b", { resourceVersion: "10", continue: "t2" }),
      page("c", { resourceVersion: "10" }),
    );
    const list = await client.list(configMap, { namespace: "n", limit: 1, labelSelector: "x=y", fieldSelector: "f=g" });
    expect(list.resourceVersion).toBe("10");
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c"]);
    const selection = { labelSelector: "x=y", fieldSelector: "f=g", limit: "1" };
    expect(server.requests.map(({ query }) => query)).toEqual([
      selection,
      { ...selection, continue: "t1" },
      { ...selection, continue: "t2" },
    ]);
  });

  it("stops at the page that makes it enough", async () => {
    const page = (names: readonly string[], more: object) =>
      json({ metadata: more, items: names.map((name) => ({ metadata: { name } })) });
    server.script(page(["a", "b"], { continue: "t1" }), page(["c", "d"], { continue: "t2" }));
    const { items } = await client.list(configMap, { limit: 2, enough: 3 });
    expect([items.length, server.requests.length]).toEqual([4, 2]);
  });

  it("starts over with one whole list when the pages expire under way", async () => {
    server.script(
      json({ metadata: { resourceVersion: "10", continue: "t1" }, items: [{ metadata: { name: "a" } }] }),
      status({ code: 410, reason: "Expired" }),
      json({ metadata: { resourceVersion: "20" }, items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }] }),
    );
    const list = await client.list(configMap, { limit: 1 });
    expect([list.resourceVersion, list.items.length]).toEqual(["20", 2]);
    expect(server.requests.at(-1)).toMatchObject({ path: "/api/v1/configmaps", query: {} });
  });

  it("lets 410 through when there were no pages", async () => {
    server.script(status({ code: 410, reason: "Expired" }));
    expect(isGone(await errorOf(client.list(configMap, { resourceVersion: "1" })))).toBe(true);
  });

  it("asks for metadata alone and gives it the kind of the objects", async () => {
    const metadata = { name: "a", namespace: "n" };
    server.script(
      json({ metadata: {}, items: [{ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata }] }),
    );
    const { items } = await client.list(configMap, { metadataOnly: true });
    expect(items).toEqual([{ apiVersion: "v1", kind: "ConfigMap", metadata }]);
    expect(server.requests[0]?.headers.accept).toBe(
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
    );
  });
});

describe("writes", () => {
  it("creates in the namespace of the object, as itself", async () => {
    server.script(json(stored, 201));
    expect(await client.create(configMap, object)).toEqual(stored);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: "/api/v1/namespaces/n/configmaps",
      query: { fieldManager: "test" },
      body: JSON.stringify(object),
    });
    expect(server.requests[0]?.headers["content-type"]).toBe("application/json");
  });

  it("creates cluster-scoped objects", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } };
    server.script(json(namespace));
    await client.create(namespaceType, namespace, { fieldManager: "me", dryRun: true });
    expect(server.requests[0]).toMatchObject({
      path: "/api/v1/namespaces",
      query: { fieldManager: "me", dryRun: "All" },
    });
  });

  it("refuses an object without its namespace before it asks the server", async () => {
    const lost = { ...object, metadata: { name: "a" } };
    expect(await errorOf(client.create(configMap, lost))).toEqual(
      new TypeError("ConfigMap a: the namespace is missing"),
    );
    expect(server.requests).toEqual([]);
  });

  it("updates the object and its status", async () => {
    server.setDefault(json(stored));
    await client.update(configMap, stored);
    await client.updateStatus(configMap, stored);
    expect(server.requests.map(({ method, path: at }) => `${method} ${at}`)).toEqual([
      `PUT ${path}`,
      `PUT ${path}/status`,
    ]);
    expect(samples.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      "update configmaps",
      "update configmaps/status",
    ]);
  });

  it("sends the status alone of a custom resource, and all of a kind of Kubernetes", async () => {
    const metadata = { ...stored.metadata, labels: { a: "b" } };
    const status = { phase: "Succeeded" };
    const exec = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Execution", metadata, spec: {}, status };
    const map = { ...stored, metadata, status };
    server.setDefault(json(exec));
    await client.updateStatus(resources.execution, exec);
    await client.updateStatus(configMap, map);
    const { apiVersion, kind } = exec;
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { apiVersion, kind, metadata: stored.metadata, status },
      map,
    ]);
  });

  it.each([
    [{ type: "merge", body: { data: null } }, "application/merge-patch+json", {}],
    [{ type: "json", body: [{ op: "remove", path: "/data" }] }, "application/json-patch+json", {}],
    [{ type: "strategic", body: {} }, "application/strategic-merge-patch+json", {}],
    [{ type: "apply", body: {}, force: true }, "application/apply-patch+yaml", { force: "true" }],
  ] as const)("patches by %p", async (patch, contentType, query) => {
    server.script(json(stored));
    expect(await client.patch(configMap, key, patch)).toEqual(stored);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "PATCH", path, body: JSON.stringify(patch.body) });
    expect(request?.query).toEqual({ fieldManager: "test", fieldValidation: "Ignore", ...query });
    expect(request?.headers["content-type"]).toBe(contentType);
  });

  it("patches a subresource", async () => {
    server.script(json(stored));
    await client.patch(configMap, key, { type: "merge", body: {}, subresource: "status", fieldManager: "me" });
    expect(server.requests[0]).toMatchObject({ path: `${path}/status`, query: { fieldManager: "me" } });
  });

  it("tells lost races from taken names", async () => {
    server.script(status({ code: 409, reason: "Conflict" }), status({ code: 409, reason: "AlreadyExists" }));
    const [conflict, exists] = [
      await errorOf(client.update(configMap, stored)),
      await errorOf(client.create(configMap, object)),
    ];
    expect([isConflict(conflict), isAlreadyExists(conflict)]).toEqual([true, false]);
    expect([isConflict(exists), isAlreadyExists(exists)]).toEqual([false, true]);
  });

  it("masks the values that the server quotes, in the message and in the causes", async () => {
    const quoting = 'ConfigMap "a" is invalid: data.x: Invalid value: "hunter2": must be short';
    server.script(
      json(
        {
          kind: "Status",
          code: 422,
          reason: "Invalid",
          message: quoting,
          details: {
            causes: [{ reason: "FieldValueInvalid", field: "data.x", message: 'Invalid value: "hunter2": no' }],
          },
        },
        422,
      ),
    );
    const error = await errorOf(client.create(configMap, object));
    expect(error).toMatchObject({
      message:
        'POST /api/v1/namespaces/n/configmaps: 422 ConfigMap "a" is invalid: data.x: Invalid value: [...]: must be short',
      statusObject: {
        details: { causes: [{ reason: "FieldValueInvalid", field: "data.x", message: "Invalid value: [...]: no" }] },
      },
    });
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });
});

describe("delete", () => {
  const statusAnswer = { kind: "Status", apiVersion: "v1", status: "Success", details: { uid: "u" } };
  const deletionTimestamp = "2026-01-01T00:00:00Z";

  it("sends preconditions and policy", async () => {
    server.script(json(statusAnswer));
    const options = { uid: "u", resourceVersion: "7", propagationPolicy: "Foreground", gracePeriodSeconds: 0 } as const;
    expect(await client.delete(configMap, key, options)).toBeUndefined();
    expect(server.requests[0]).toMatchObject({ method: "DELETE", path });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({
      kind: "DeleteOptions",
      apiVersion: "v1",
      preconditions: { uid: "u", resourceVersion: "7" },
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
    });
  });

  it("sends no preconditions that were not asked for", async () => {
    server.script(json(statusAnswer));
    await client.delete(configMap, key);
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({ kind: "DeleteOptions", apiVersion: "v1" });
  });

  it("gives the object that a finalizer keeps", async () => {
    const kept = { ...stored, metadata: { ...stored.metadata, deletionTimestamp, finalizers: ["f"] } };
    server.script(json(kept));
    expect(await client.delete(configMap, key)).toEqual(kept);
  });

  it.each([
    ["the deleted object itself", { ...stored }],
    ["the deleted object, marked", { ...stored, metadata: { ...stored.metadata, deletionTimestamp } }],
    ["a status", statusAnswer],
  ])("gives nothing when the answer is %s", async (_name, answer) => {
    server.script(json(answer));
    expect(await client.delete(configMap, key)).toBeUndefined();
  });

  it("is content when the object is not there", async () => {
    server.script(status({ code: 404, reason: "NotFound" }));
    expect(await client.delete(configMap, key)).toBeUndefined();
  });

  it("fails when a precondition does not hold", async () => {
    server.script(status({ code: 409, reason: "Conflict" }));
    expect(isConflict(await errorOf(client.delete(configMap, key, { uid: "other" })))).toBe(true);
  });
});

describe("request", () => {
  it("sends any other request", async () => {
    server.script(json({ status: { token: "t" } }));
    const body = { spec: { expirationSeconds: 600 } };
    const answer = await client.request({ method: "POST", path: `${path}/token?x=y`, body });
    expect(answer).toEqual({ status: { token: "t" } });
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: `${path}/token`,
      query: { x: "y" },
      body: JSON.stringify(body),
    });
    expect(samples).toEqual([
      {
        verb: "post",
        method: "POST",
        host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        resource: "other",
        code: "200",
        durationMs: 0,
      },
    ]);
  });
});

describe("request of a text", () => {
  it("gives the answer as it is, whatever it looks like", async () => {
    server.script(json({ looks: "like JSON" }));
    const log = { method: "GET", path: `${path}/log`, accept: "*/*", answer: "text" } as const;
    expect(await client.request(log)).toBe('{"looks":"like JSON"}');
    expect(server.requests[0]?.headers).toMatchObject({ accept: "*/*" });
  });
});

describe("retries", () => {
  const busy = status({ code: 429, reason: "TooManyRequests", headers: { "retry-after": "2" } });

  it("repeats a read after 500, 429 and a cut connection", async () => {
    server.script(status({ code: 500 }), busy, reset, json(stored));
    expect(await runTime(client.get(configMap, key))).toEqual(stored);
    expect(samples.map(({ code }) => code)).toEqual(["500", "429", "none", "200"]);
  });

  it("waits as long as the server asks before it repeats a write", async () => {
    server.script(busy, json(stored));
    const created = client.create(configMap, object);
    await waitFor(() => clock.pendingTimers === 1);
    await clock.advance(1_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await created).toEqual(stored);
  });

  it("does not repeat a write after 500", async () => {
    server.script(status({ code: 500, message: "etcd is slow" }));
    expect(await errorOf(client.create(configMap, object))).toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it("does not repeat a write whose connection broke: it may have been made", async () => {
    server.script(reset);
    const error = await errorOf(client.create(configMap, object));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ maybeSent: true });
    expect(server.requests).toHaveLength(1);
  });

  it("gives a read up after five attempts with the last failure", async () => {
    server.setDefault(status({ code: 503, reason: "ServiceUnavailable", message: "down" }));
    expect(await runTime(errorOf(client.get(configMap, key)))).toMatchObject({ message: `GET ${path}: 503 down` });
    expect(server.requests).toHaveLength(5);
  });

  it("ends its wait when the caller gives up", async () => {
    server.setDefault(busy);
    const abort = new AbortController();
    const asked = errorOf(client.get(configMap, key, { signal: abort.signal }));
    await waitFor(() => clock.pendingTimers === 1);
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await asked).toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("beforeSend", () => {
  it("is asked right before each attempt leaves, and the call throws what it throws", async () => {
    const refusal = new Error("not any more");
    let asked = 0;
    const beforeSend = (): void => {
      asked += 1;
      if (asked === 2) throw refusal;
    };
    server.script(status({ code: 429, headers: { "retry-after": "2" } }), json(stored));
    const created = errorOf(client.create(configMap, object, { beforeSend }));
    await waitFor(() => clock.pendingTimers === 1);
    await clock.advance(2_000);
    expect(await created).toBe(refusal);
    expect(server.requests).toHaveLength(1);
    expect(samples.map(({ code }) => code)).toEqual(["429", "none"]);
  });

  it("is asked when there is a connection, not before", async () => {
    const narrow = createTestClient({ maxConnections: 1 });
    let answer = (): void => {};
    server.script(async (response, request) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await json(stored)(response, request);
    });
    const first = narrow.get(configMap, key);
    await waitFor(() => server.requests.length === 1);
    let asked = 0;
    const refusal = new Error("not any more");
    const beforeSend = (): void => {
      asked += 1;
      throw refusal;
    };
    const second = errorOf(narrow.delete(configMap, key, { beforeSend }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(0);
    answer();
    await first;
    expect(await second).toBe(refusal);
    expect(server.requests).toHaveLength(1);
    await narrow.close();
  });
});

describe("a server that is away", () => {
  it("is named, with the reason, and nothing was sent", async () => {
    const url = server.url;
    await server.close();
    const error = await runTime(errorOf(client.create(configMap, object)));
    server = await startScriptedApiServer();
    expect(error).toMatchObject({ name: "ConnectionError", maybeSent: false });
    expect((error as Error).message).toBe(
      `POST /api/v1/namespaces/n/configmaps: no answer from ${url} (connect ECONNREFUSED ${url.slice(7)})`,
    );
    expect(samples.map(({ code }) => code)).toEqual(["none", "none", "none", "none", "none"]);
  });

  it("ends a request that is not answered in time", async () => {
    const hasty = createTestClient({ requestTimeoutMs: 50 });
    server.script(() => {});
    const error = await errorOf(hasty.create(configMap, object));
    expect(error).toMatchObject({ name: "ConnectionError", maybeSent: true });
    await hasty.close();
  });
});

describe("abort and close", () => {
  it("ends a request under way with the caller's reason", async () => {
    server.script(() => {});
    const abort = new AbortController();
    const asked = errorOf(client.get(configMap, key, { signal: abort.signal }));
    await waitFor(() => server.requests.length === 1);
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await asked).toBe(reason);
  });

  it("sends nothing for a caller that has given up already", async () => {
    const reason = new Error("enough");
    expect(await errorOf(client.get(configMap, key, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("cuts what is under way", async () => {
    server.script(() => {});
    const asked = errorOf(client.create(configMap, object));
    await waitFor(() => server.requests.length === 1);
    await client.close();
    expect(await asked).toBeInstanceOf(ConnectionError);
  });
});

describe("connections", () => {
  it("uses a connection again and opens no more than it may", async () => {
    const narrow = createTestClient({ maxConnections: 2 });
    const ports = new Set<number | undefined>();
    server.setDefault((response) => {
      ports.add(response.socket?.remotePort);
      void json(stored)(response, server.requests[0]!);
    });
    await Promise.all(Array.from({ length: 20 }, () => narrow.get(configMap, key)));
    expect(ports.size).toBeLessThanOrEqual(2);
    await narrow.close();
  });
});
