import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sendRequest, type Reply } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { type Fields, type HookServer, patchOf, startHookServer } from "../src/webhooks/hook-server.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const namespace = "webhooks";
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const marked = { matchLabels: { webhooks: "yes" } };
const rule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE", "DELETE"],
  resources: ["configmaps"],
};

describe.each(clustersUnderTest())("admission webhooks on %s", (name) => {
  let cluster: TestCluster;
  let hooks: HookServer;
  let count = 0;

  const send = (method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT", path: string, body?: unknown): Promise<Reply> =>
    sendRequest(
      { url: cluster.url, token: cluster.token, caPem: cluster.ca },
      { method, path, body, ...(method === "PATCH" ? { contentType: "application/merge-patch+json" } : {}) },
    );
  const configMap = (
    fields: object = {},
  ): Fields & { readonly metadata: { readonly name: string; readonly labels: object } } => {
    count += 1;
    return {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `object-${count}`, labels: { webhooks: "yes" } },
      ...fields,
    };
  };
  const configure = async (kind: "Mutating" | "Validating", fields: object = {}, url = hooks.url): Promise<void> => {
    const path = `${group}/${kind.toLowerCase()}webhookconfigurations`;
    const webhook = {
      name: `${kind.toLowerCase()}.webhooks.example.com`,
      clientConfig: { url: `${url}/${kind.toLowerCase()}`, caBundle: hooks.caBundle },
      rules: [rule],
      objectSelector: marked,
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...fields,
    };
    const created = await send("POST", path, { metadata: { name: "webhooks-test" }, webhooks: [webhook] });
    expect([created.code, created.body]).toEqual([201, expect.anything()]);
    // The real server reads its configurations from a cache.
    if (name !== "embedded") await new Promise((resolve) => setTimeout(resolve, 1500));
  };

  beforeAll(async () => {
    hooks = await startHookServer();
    cluster = await startTestCluster(name);
    await send("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  });
  beforeEach(async () => {
    for (const kind of ["mutating", "validating"]) {
      await send("DELETE", `${group}/${kind}webhookconfigurations/webhooks-test`);
    }
    hooks.seen.length = 0;
    hooks.answer = () => ({ allowed: true });
  });
  afterAll(async () => {
    for (const kind of ["mutating", "validating"]) {
      await send("DELETE", `${group}/${kind}webhookconfigurations/webhooks-test`);
    }
    await send("DELETE", `/api/v1/namespaces/${namespace}`);
    await cluster.stop();
    await hooks.stop();
  });

  it("deny a request with the message, the reason and the code of the webhook", async () => {
    await configure("Validating");
    hooks.answer = () => ({ allowed: false, status: { message: "not today", reason: "Conflict", code: 409 } });
    const told = await send("POST", configMaps, configMap());
    expect([told.code, told.body]).toMatchObject([
      409,
      {
        reason: "Conflict",
        message: 'admission webhook "validating.webhooks.example.com" denied the request: not today',
      },
    ]);
    hooks.answer = () => ({ allowed: false });
    const silent = await send("POST", configMaps, configMap());
    expect([silent.code, (silent.body as Fields)["message"]]).toEqual([
      silent.code,
      'admission webhook "validating.webhooks.example.com" denied the request without explanation',
    ]);
    expect(silent.code).toBeGreaterThanOrEqual(400);
  });

  it("get the object before and after a change, and answer with warnings", async () => {
    await configure("Validating");
    hooks.answer = () => ({ allowed: true, warnings: ["mind the gap"] });
    const object = configMap({ data: { a: "1" } });
    const at = `${configMaps}/${object.metadata.name}`;
    const created = await send("POST", `${configMaps}?dryRun=All`, object);
    expect([created.code, created.warnings]).toEqual([201, ['299 - "mind the gap"']]);
    await send("POST", configMaps, object);
    await send("PATCH", at, { data: { a: "2" } });
    await send("DELETE", at);
    const told = hooks.seen.map(({ request }) => ({
      operation: request["operation"],
      dryRun: request["dryRun"],
      name: request["name"],
      namespace: request["namespace"],
      data: request.object?.data,
      old: (request["oldObject"] as { readonly data?: unknown } | null)?.data,
      kind: request["kind"],
      resource: request["resource"],
    }));
    const same = {
      name: object.metadata.name,
      namespace,
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
    };
    expect(told).toEqual([
      { ...same, operation: "CREATE", dryRun: true, data: { a: "1" }, old: undefined },
      { ...same, operation: "CREATE", dryRun: false, data: { a: "1" }, old: undefined },
      { ...same, operation: "UPDATE", dryRun: false, data: { a: "2" }, old: { a: "1" } },
      { ...same, operation: "DELETE", dryRun: false, data: undefined, old: { a: "2" } },
    ]);
  });

  it("change an object before it is validated, and show the change to validating webhooks", async () => {
    await configure("Mutating");
    await configure("Validating");
    hooks.answer = (path) =>
      path === "/mutating" ? patchOf({ op: "add", path: "/data", value: { added: "yes" } }) : { allowed: true };
    const object = configMap();
    const created = await send("POST", configMaps, object);
    expect([created.code, (created.body as Fields)["data"]]).toEqual([201, { added: "yes" }]);
    expect(hooks.seen.map(({ request }) => request.object.data)).toEqual([undefined, { added: "yes" }]);
    hooks.answer = (path) =>
      path === "/mutating" ? patchOf({ op: "add", path: "/data", value: { "a b": "no key" } }) : { allowed: true };
    const refused = await send("POST", configMaps, configMap());
    expect([refused.code, (refused.body as { details?: unknown }).details]).toMatchObject([
      422,
      { causes: [{ field: "data[a b]", reason: "FieldValueInvalid" }] },
    ]);
    hooks.answer = (path) =>
      path === "/mutating" ? patchOf({ op: "add", path: "/metadata/labels/changed", value: "yes" }) : { allowed: true };
    const patched = await send("PATCH", `${configMaps}/${object.metadata.name}`, { data: { more: "x" } });
    expect(patched.body).toMatchObject({ data: { added: "yes", more: "x" }, metadata: { labels: { changed: "yes" } } });
  });

  describe.each([
    ["IfNeeded", ["/first", "/second", "/first"]],
    ["Never", ["/first", "/second"]],
  ] as const)("with reinvocationPolicy %s", (reinvocationPolicy, calls) => {
    const configureTwo = async (): Promise<void> => {
      const webhook = (hook: string): object => ({
        name: `${hook}.webhooks.example.com`,
        clientConfig: { url: `${hooks.url}/${hook}`, caBundle: hooks.caBundle },
        rules: [rule],
        objectSelector: marked,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        reinvocationPolicy,
      });
      const created = await send("POST", `${group}/mutatingwebhookconfigurations`, {
        metadata: { name: "webhooks-test" },
        webhooks: [webhook("first"), webhook("second")],
      });
      expect(created.code).toBe(201);
      if (name !== "embedded") await new Promise((resolve) => setTimeout(resolve, 1500));
    };

    const adding = (field: string, value: string): Fields => patchOf({ op: "add", path: `/data/${field}`, value });

    it(`calls ${calls.join(", ")} if the second webhook changes the object`, async () => {
      await configureTwo();
      const paths: string[] = [];
      hooks.answer = (path, { request }) => {
        paths.push(path);
        const field = path.slice(1);
        return request.object.data?.[field] === undefined ? adding(field, "x") : { allowed: true };
      };
      const created = await send("POST", configMaps, configMap({ data: { a: "b" } }));
      expect(created.body).toMatchObject({ data: { a: "b", first: "x", second: "x" } });
      expect(paths).toEqual(calls);
    });

    it("calls no webhook three times if each call changes the object", async () => {
      await configureTwo();
      const paths: string[] = [];
      hooks.answer = (path) => {
        paths.push(path);
        return adding(path.slice(1), String(paths.length));
      };
      const created = await send("POST", configMaps, configMap({ data: { a: "b" } }));
      expect(paths).toEqual(reinvocationPolicy === "Never" ? calls : ["/first", "/second", "/first", "/second"]);
      const data = reinvocationPolicy === "Never" ? { first: "1", second: "2" } : { first: "3", second: "4" };
      expect(created.body).toMatchObject({ data });
    });

    it("calls each webhook once if the second one changes nothing", async () => {
      await configureTwo();
      const paths: string[] = [];
      hooks.answer = (path) => {
        paths.push(path);
        return path === "/first" ? adding("first", "x") : { allowed: true };
      };
      expect((await send("POST", configMaps, configMap({ data: { a: "b" } }))).code).toBe(201);
      expect(paths).toEqual(["/first", "/second"]);
    });
  });

  it("are asked only for what their rules, selectors and conditions name", async () => {
    await configure("Validating", {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      matchConditions: [{ name: "named", expression: "object.metadata.name.startsWith('object')" }],
    });
    hooks.answer = () => ({ allowed: false });
    const elsewhere = await send("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", configMap());
    const unmarked = await send("POST", `${configMaps}?dryRun=All`, { metadata: { name: "object" } });
    const otherKind = await send("POST", `/api/v1/namespaces/${namespace}/secrets?dryRun=All`, {
      metadata: configMap().metadata,
    });
    const otherName = await send("POST", `${configMaps}?dryRun=All`, {
      metadata: { name: "x", labels: { webhooks: "yes" } },
    });
    expect([elsewhere, unmarked, otherKind, otherName].map(({ code }) => code)).toEqual([201, 201, 201, 201]);
    expect(hooks.seen).toEqual([]);
    expect((await send("POST", configMaps, configMap())).code).toBeGreaterThanOrEqual(400);
  });

  it("that cannot be called fail the request, or not, as their failure policy says", async () => {
    const nowhere = "https://127.0.0.1:1";
    await configure("Validating", {}, nowhere);
    const failed = await send("POST", configMaps, configMap());
    expect([failed.code, (failed.body as Fields)["reason"]]).toEqual([500, "InternalError"]);
    expect((failed.body as Fields)["message"]).toMatch(
      /^Internal error occurred: failed calling webhook "validating\.webhooks\.example\.com": failed to call webhook: Post "https:\/\/127\.0\.0\.1:1\/validating/,
    );
    await send("DELETE", `${group}/validatingwebhookconfigurations/webhooks-test`);
    await configure("Validating", { failurePolicy: "Ignore" }, nowhere);
    expect((await send("POST", configMaps, configMap())).code).toBe(201);
  });
});
