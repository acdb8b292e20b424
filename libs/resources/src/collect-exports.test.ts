// The calls of a deploy item on a target cluster: its exports.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { collectExports, type ExportOptions } from "./collect-exports.ts";
import { resourceId } from "./cluster/resource-reference.ts";
import {
  useTargetScope,
  signal,
  clusterOf,
  client,
  cluster,
  requests,
  n,
  configMap,
  manage,
  apply,
  setRequests,
} from "../test/target-scope.ts";

useTargetScope();

describe("collectExports", () => {
  const collect = (exports: ExportOptions["exports"], options: Partial<ExportOptions> = {}) =>
    collectExports({ cluster, exports, clusterOf, signal, ...options });
  const from = (name: string, kind = "ConfigMap") => ({ apiVersion: "v1", kind, name, namespace: n });

  it("takes values as they are and nests dotted keys, later entries win", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1", y: "", z: "3" }));
    const exports = [
      { key: "one", jsonPath: "data.x", fromResource: from("a") },
      { key: "deep.one", jsonPath: ".data.x", fromResource: from("a") },
      { key: "deep.two", jsonPath: ".data.z", fromResource: from("a") },
      { key: "one", jsonPath: ".data.y", fromResource: from("a") },
      { key: "all", jsonPath: ".data", fromResource: from("a") },
      { key: "skipped", jsonPath: ".data.x" },
    ];
    expect(await collect(exports)).toEqual({
      type: "complete",
      values: { one: "", deep: { one: "1", two: "3" }, all: { x: "1", y: "", z: "3" } },
      sensitive: [],
    });
  });

  it("reads nothing that was just received, unless the value is not there yet", async () => {
    const result = await apply(manage(configMap("a", { x: "1" })));
    const fresh = new Map([...result.applied].map(([id, { live }]) => [id, live]));
    setRequests([]);
    await collect([{ key: "k", jsonPath: ".data.x", fromResource: from("a") }], { fresh });
    expect(requests).toEqual([]);
    await client.patch(
      kubeResources.configMap,
      { namespace: n, name: "a" },
      { type: "merge", body: { data: { later: "2" } } },
    );
    expect(await collect([{ key: "k", jsonPath: ".data.later", fromResource: from("a") }], { fresh })).toEqual({
      type: "complete",
      values: { k: "2" },
      sensitive: [],
    });
  });

  it.each([
    ["an object", ".data.x", "missing", "ConfigMap %s/missing does not exist"],
    ["a field", ".data.missing", "a", "ConfigMap %s/a has no .data.missing"],
    ["a misspelt field", ".dta.x", "a", 'ConfigMap %s/a has no .dta.x: did you mean "data"?'],
    [
      "a match of a filter",
      '.metadata.managedFields[?(@.manager=="x")].time',
      "a",
      'ConfigMap %s/a has no .metadata.managedFields[?(@.manager=="x")].time',
    ],
  ])("waits for %s", async (...[_name, jsonPath, name, message]) => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1" }));
    const found = await collect([
      { key: "there", jsonPath: ".data.x", fromResource: from("a") },
      { key: "the.key", jsonPath, fromResource: from(name) },
    ]);
    const absent = name === "missing" ? resourceId(from(name)) : undefined;
    const awaited = [{ cluster, ...from(name) }];
    expect(found).toEqual({ type: "missing", key: "the.key", message: message.replace("%s", n), awaited, absent });
  });

  it("names no key of a Secret", async () => {
    const metadata = { name: "s", namespace: n };
    await client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data: { token: "" } });
    expect(await collect([{ key: "k", jsonPath: ".data.tokne", fromResource: from("s", "Secret") }])).toMatchObject({
      message: `Secret ${n}/s has no .data.tokne`,
    });
  });

  it("follows a reference, by default within the namespace (A14)", async () => {
    const account = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "sa", namespace: n },
      secrets: [{ name: "s" }],
    };
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: n },
      data: { token: "c2VjcmV0" },
    };
    await client.create(kubeResources.serviceAccount, account);
    const exports = [
      {
        key: "token",
        jsonPath: ".secrets[0]",
        fromResource: from("sa", "ServiceAccount"),
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".data.token" },
      },
    ];
    expect(await collect(exports)).toMatchObject({
      type: "missing",
      message: `Secret ${n}/s does not exist`,
      awaited: [
        { kind: "ServiceAccount", name: "sa" },
        { kind: "Secret", name: "s" },
      ],
    });
    await client.create(kubeResources.secret, secret);
    expect(await collect(exports)).toEqual({
      type: "complete",
      values: { token: "c2VjcmV0" },
      sensitive: ["/token"],
    });
  });

  it("does not take anything for a reference", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1" }));
    const exports = [
      {
        key: "k",
        jsonPath: ".data.x",
        fromResource: from("a"),
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".data.token" },
      },
    ];
    expect(await collect(exports)).toEqual({
      type: "missing",
      key: "k",
      message: `ConfigMap ${n}/a: .data.x is no reference with a name`,
      awaited: [{ cluster, ...from("a") }],
    });
  });
});
