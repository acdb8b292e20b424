import { LandscaperError, type KubeObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { ApiError, ConnectionError, isGone, isNotFound, isTooLarge } from "./api-error.ts";
import { json, status, type Answer } from "@landscaper/testkit";
import {
  useClientFixture,
  configMap,
  key,
  path,
  object,
  stored,
  server,
  client,
  samples,
  createTestClient,
  runTime,
  errorOf,
} from "../../test/client-fixture.ts";

useClientFixture();

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

  it("reduces the objects of each page before it asks for the next one", async () => {
    server.script(
      json({ metadata: { continue: "t1" }, items: [{ metadata: { name: "a" }, data: { x: "1" } }] }),
      json({ metadata: {}, items: [{ metadata: { name: "b" }, data: { x: "2" } }] }),
    );
    const reduced: (readonly [string | undefined, number])[] = [];
    const reduce = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => {
      reduced.push([metadata.name, server.requests.length]);
      return { apiVersion, kind, metadata };
    };
    const { items } = await client.list(configMap, { limit: 1, reduce });
    expect(items.map(({ data, metadata }) => [metadata.name, data])).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(reduced).toEqual([
      ["a", 1],
      ["b", 2],
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
