import { resources } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { isAlreadyExists, isConflict } from "./api-error.ts";
import { json, status, waitFor } from "@landscaper/testkit";
import {
  useClientFixture,
  configMap,
  namespaceType,
  key,
  path,
  object,
  stored,
  server,
  clock,
  client,
  samples,
  createTestClient,
  errorOf,
} from "../../test/client-fixture.ts";

useClientFixture();

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
    const absent = { kind: "Status", apiVersion: "v1", code: 404, reason: "NotFound", details: { name: key.name } };
    server.script(json(absent, 404));
    expect(await client.delete(configMap, key)).toBeUndefined();
  });

  it("fails when the server does not serve the kind in this version", async () => {
    server.script(status({ code: 404 }));
    expect(await errorOf(client.delete(configMap, key))).toMatchObject({ status: 404 });
  });

  it("fails when a precondition does not hold", async () => {
    server.script(status({ code: 409, reason: "Conflict" }));
    expect(isConflict(await errorOf(client.delete(configMap, key, { uid: "other" })))).toBe(true);
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
