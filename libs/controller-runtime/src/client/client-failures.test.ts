import { describe, expect, it } from "@jest/globals";
import { ConnectionError } from "./api-error.ts";
import { json, reset, startScriptedApiServer, status, waitFor } from "@landscaper/testkit";
import {
  useClientFixture,
  configMap,
  key,
  path,
  object,
  stored,
  server,
  clock,
  client,
  samples,
  createTestClient,
  runTime,
  errorOf,
  setServer,
} from "../../test/client-fixture.ts";

useClientFixture();

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

describe("a server that is away", () => {
  it("is named, with the reason, and nothing was sent", async () => {
    const url = server.url;
    await server.close();
    const error = await runTime(errorOf(client.create(configMap, object)));
    setServer(await startScriptedApiServer());
    expect(error).toMatchObject({ name: "ConnectionError", maybeSent: false });
    expect((error as Error).message).toBe(
      `POST /api/v1/namespaces/n/configmaps: no answer from ${url} (connection refused; start the server, or correct server of the kubeconfig)`,
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
