import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { sendRequest, type TestApi, createTestApi } from "@landscaper/testkit";

const at = "/api/v1/namespaces/default/configmaps";

// Single answers are compared with the real server in ../parity; here stands what takes several requests.
describe("writes", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());

  it("let one of two concurrent updates win", async () => {
    const { body } = await api.post(at, { metadata: { name: "race" } });
    const replies = await Promise.all(
      ["a", "b", "c", "d"].map((value) => api.put(`${at}/race`, { ...(body as object), data: { value } })),
    );
    expect(replies.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  it("let all of many concurrent patches through", async () => {
    await api.post(at, { metadata: { name: "patched" } });
    await Promise.all(Array.from({ length: 20 }, (_, i) => api.patch(`${at}/patched`, { data: { [`k${i}`]: "v" } })));
    expect(Object.keys(fieldAt((await api.get(`${at}/patched`)).body, "data") as object)).toHaveLength(20);
  });

  it("create one of many objects of one name", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => api.post(at, { metadata: { name: "one" } })));
    expect(replies.filter(({ code }) => code === 201)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === 409)).toHaveLength(9);
  });

  it("generate names of five more characters, each another", async () => {
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => (await api.post(at, { metadata: { generateName: "gen-" } })).body),
    );
    const names = bodies.map((body) => stringAt(body, "metadata", "name"));
    expect(names.every((name) => /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(20);
    const long = await api.post(at, { metadata: { generateName: "x".repeat(80) } });
    expect(stringAt(long.body, "metadata", "name")).toHaveLength(63);
  });

  it("drop the selfLink of an update, as of a create", async () => {
    const object = { metadata: { name: "linked", selfLink: "/x" } };
    for (const { body } of [await api.post(at, object), await api.put(`${at}/linked`, { ...object, data: { a: "b" } })])
      expect(fieldAt(body, "metadata", "selfLink")).toBeUndefined();
  });

  it("create a Service by a PUT", async () => {
    const services = "/api/v1/namespaces/default/services";
    const service = { metadata: { name: "put" }, spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_501 }] } };
    const dry = await api.put(`${services}/put?dryRun=All`, service);
    const { code, body } = await api.put(`${services}/put`, service);
    expect([dry.code, code, fieldAt(body, "spec", "ports")]).toMatchObject([201, 201, [{ nodePort: 30_501 }]]);
  });

  it("change nothing in a dry run, not even a revision", async () => {
    await api.post(at, { metadata: { name: "dry" } });
    const before = stringAt((await api.get(at)).body, "metadata", "resourceVersion");
    expect((await api.post(`${at}?dryRun=All`, { metadata: { name: "wet" } })).code).toBe(201);
    expect((await api.patch(`${at}/dry?dryRun=All`, { data: { a: "b" } })).body).toMatchObject({ data: { a: "b" } });
    expect((await api.delete(`${at}/dry?dryRun=All`)).code).toBe(200);
    expect(stringAt((await api.get(at)).body, "metadata", "resourceVersion")).toBe(before);
    expect((await api.get(`${at}/dry`)).body).not.toHaveProperty("data");
  });

  it("do not bump the revision when nothing changes", async () => {
    const created = await api.post(at, { metadata: { name: "same" }, data: { a: "b" } });
    const version = stringAt(created.body, "metadata", "resourceVersion");
    const put = await api.put(`${at}/same`, created.body);
    const patched = await api.patch(`${at}/same`, { data: { a: "b" }, metadata: { labels: {} } });
    expect([put, patched].map(({ body }) => stringAt(body, "metadata", "resourceVersion"))).toEqual([version, version]);
  });

  it("read YAML and protobuf as kubectl sends them", async () => {
    const yaml = Buffer.from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: b}\n");
    const fromYaml = await sendRequest(api.server, {
      method: "POST",
      path: at,
      body: yaml,
      contentType: "application/yaml",
    });
    expect(fromYaml.body).toMatchObject({ metadata: { name: "yaml" }, data: { a: "b" } });
    // kubectl create configmap proto --from-literal=a=b
    const hex =
      "6b3873000a0f0a0276311209436f6e6669674d6170121f0a150a0570726f746f12001a0022002a0032003800420012060a01611201621a002200";
    const fromProtobuf = await sendRequest(api.server, {
      method: "POST",
      path: at,
      body: Buffer.from(hex, "hex"),
      contentType: "application/vnd.kubernetes.protobuf",
    });
    expect(fromProtobuf.body).toMatchObject({ metadata: { name: "proto" }, data: { a: "b" } });
  });

  const bad: readonly (readonly [string, Buffer, string, number, string])[] = [
    [
      "protobuf without its prefix",
      Buffer.from("x"),
      "application/vnd.kubernetes.protobuf",
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: provided data does " +
        "not appear to be a protobuf message, expected prefix [107 56 115 0]",
    ],
    [
      "protobuf that is cut",
      Buffer.from("6b3873000a0f0a02", "hex"),
      "application/vnd.kubernetes.protobuf",
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: protobuf: " +
        "unexpected end of message",
    ],
    [
      "an empty body",
      Buffer.alloc(0),
      "application/json",
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of " +
        "JSON input (<empty>)",
    ],
    [
      "an unknown type",
      Buffer.from("{}"),
      "text/xml",
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, " +
        "application/vnd.kubernetes.protobuf",
    ],
    [
      "too much",
      Buffer.alloc(4 * 1024 * 1024, " "),
      "application/json",
      413,
      "Request entity too large: limit is 3145728",
    ],
  ];
  for (const [what, body, contentType, code, message] of bad) {
    it(`refuse ${what}`, async () => {
      const reply = await sendRequest(api.server, { method: "POST", path: at, body, contentType });
      expect([reply.code, stringAt(reply.body, "message")]).toEqual([code, message]);
    });
  }

  it("send no event and store nothing when an apply is a dry run or changes nothing", async () => {
    const apply = "application/apply-patch+yaml";
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data: { a: "b" } };
    const at1 = `${at}/applied?fieldManager=one`;
    expect((await api.patch(`${at1}&dryRun=All`, config, apply)).code).toBe(201);
    expect((await api.get(`${at}/applied`)).code).toBe(404);
    const { body } = await api.patch(at1, config, apply);
    const version = stringAt(body, "metadata", "resourceVersion");
    const before = stringAt((await api.get(at)).body, "metadata", "resourceVersion");
    const dry = await api.patch(`${at1}&dryRun=All`, { ...config, data: { a: "c" } }, apply);
    expect(dry.body).toMatchObject({ data: { a: "c" } });
    const again = await api.patch(at1, config, apply);
    expect(stringAt(again.body, "metadata", "resourceVersion")).toBe(version);
    const refused = await api.patch(
      `${at}/applied?fieldManager=two&dryRun=All`,
      { ...config, data: { a: "c" } },
      apply,
    );
    expect(refused.code).toBe(409);
    // The revision of the whole store: a watch has nothing to send.
    expect(stringAt((await api.get(at)).body, "metadata", "resourceVersion")).toBe(before);
  });

  it("write nothing again when a status write touches only what it may not", async () => {
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await api.post(deployments, { metadata: { name: "d" }, spec: { selector: { matchLabels: labels }, template } });
    const patch = { metadata: { annotations: { a: "b" } }, status: { replicas: 1 } };
    const first = await api.patch(`${deployments}/d/status`, patch);
    const second = await api.patch(`${deployments}/d/status`, patch);
    expect(second.body).toEqual(first.body);
  });

  it("store the events of both groups in one place", async () => {
    const core = "/api/v1/namespaces/default/events";
    const current = "/apis/events.k8s.io/v1/namespaces/default/events";
    await api.post(core, {
      metadata: { name: "old" },
      involvedObject: { kind: "Pod", name: "p", namespace: "default" },
      message: "hello",
      reason: "r",
    });
    expect((await api.get(`${current}/old`)).body).toMatchObject({ note: "hello", regarding: { name: "p" } });
    await api.patch(`${current}/old`, { note: "bye" });
    expect((await api.get(`${core}?fieldSelector=involvedObject.name%3Dp`)).body).toMatchObject({
      items: [{ message: "bye" }],
    });
  });
});
