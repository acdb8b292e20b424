import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { checkManifest } from "./check-manifest.ts";
import { expandManifests } from "./expand-manifests.ts";

function configMap(name: string, data: Record<string, string> = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n" }, data };
}

function listOf(...items: readonly unknown[]): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMapList", metadata: {}, items };
}

describe("expandManifests", () => {
  it("keeps objects as they are", () => {
    const entry = { policy: "manage", manifest: configMap("a") } as const;
    expect(expandManifests([entry])).toEqual([entry]);
  });

  it("gives the items of a List its policy, annotations and patches", () => {
    const hooks = {
      policy: "keep",
      annotateBeforeCreate: { a: "b" },
      patchBeforeDelete: { data: { c: "d" } },
    } as const;
    expect(expandManifests([{ ...hooks, manifest: listOf(configMap("a"), configMap("b")) }])).toEqual([
      { ...hooks, manifest: configMap("a") },
      { ...hooks, manifest: configMap("b") },
    ]);
  });

  it("expands a List within a List", () => {
    const nested = listOf({ ...listOf(configMap("a")), kind: "List" });
    expect(expandManifests([{ policy: "manage", manifest: nested }])).toEqual([
      { policy: "manage", manifest: configMap("a") },
    ]);
  });

  it("expands a List without metadata within a List", () => {
    const nested = listOf({ apiVersion: "v1", kind: "List", items: [configMap("a")] }, configMap("b"));
    expect(expandManifests([{ policy: "manage", manifest: nested }])).toEqual([
      { policy: "manage", manifest: configMap("a") },
      { policy: "manage", manifest: configMap("b") },
    ]);
  });

  it("makes nothing of an empty List", () => {
    expect(expandManifests([{ policy: "manage", manifest: listOf() }])).toEqual([]);
  });

  it("takes an object that is given twice once, in its last form", () => {
    const manifests = [configMap("a", { x: "1" }), configMap("b"), configMap("a", { x: "2" })];
    expect(expandManifests(manifests.map((manifest) => ({ policy: "manage", manifest })))).toEqual([
      { policy: "manage", manifest: configMap("a", { x: "2" }) },
      { policy: "manage", manifest: configMap("b") },
    ]);
  });

  it("takes null in metadata for absent", () => {
    const manifest = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: null, labels: null } };
    expect(expandManifests([{ policy: "manage", manifest: manifest as unknown as UnstructuredObject }])).toEqual([
      { policy: "manage", manifest: { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } } },
    ]);
  });
});

describe("checkManifest", () => {
  it.each<readonly [string, unknown]>([
    ["an object", configMap("a")],
    ["a List", listOf(configMap("a"))],
    ["an empty List", listOf()],
    [
      "null where metadata may be empty",
      { ...configMap("a"), metadata: { name: "a", namespace: null, labels: null, annotations: null } },
    ],
  ])("finds nothing in %s", (_name, value) => {
    expect(checkManifest(value, "m")).toEqual([]);
  });

  it.each<readonly [string, unknown, string, string, string]>([
    ["a text", "kind: ConfigMap", "m", "a Kubernetes object", "a string"],
    ["nothing", undefined, "m", "a Kubernetes object", "nothing"],
    ["null", null, "m", "a Kubernetes object", "null"],
    ["a list", [], "m", "a Kubernetes object", "a list"],
    ["no apiVersion", { ...configMap("a"), apiVersion: undefined }, "m.apiVersion", "a non-empty string", "nothing"],
    ["an empty kind", { ...configMap("a"), kind: "" }, "m.kind", "a non-empty string", "an empty string"],
    ["a number for kind", { ...configMap("a"), kind: 7 }, "m.kind", "a non-empty string", "a number"],
    ["no metadata", { apiVersion: "v1", kind: "ConfigMap" }, "m.metadata", "an object", "nothing"],
    [
      "no name",
      { ...configMap("a"), metadata: { generateName: "a-" } },
      "m.metadata.name",
      "a non-empty string",
      "nothing",
    ],
    [
      "a number for namespace",
      { ...configMap("a"), metadata: { name: "a", namespace: 1 } },
      "m.metadata.namespace",
      "a string",
      "a number",
    ],
    [
      "a list of labels",
      { ...configMap("a"), metadata: { name: "a", labels: ["x"] } },
      "m.metadata.labels",
      "an object",
      "a list",
    ],
    [
      "a boolean label",
      { ...configMap("a"), metadata: { name: "a", labels: { x: true } } },
      "m.metadata.labels.x",
      "a string",
      "a boolean",
    ],
    [
      "a number as annotation",
      { ...configMap("a"), metadata: { name: "a", annotations: { x: 1 } } },
      "m.metadata.annotations.x",
      "a string",
      "a number",
    ],
    [
      "a broken item of a List",
      listOf(configMap("a"), { kind: "x" }),
      "m.items[1].apiVersion",
      "a non-empty string",
      "nothing",
    ],
  ])("finds %s", (...[_name, value, path, expected, found]) => {
    expect(checkManifest(value, "m")[0]).toEqual({ path, expected, found });
  });
});
