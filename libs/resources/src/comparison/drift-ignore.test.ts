import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { ignoredPointers, keepLiveFields, type DriftIgnoreRule } from "./drift-ignore.ts";

function object(fields: Record<string, unknown>): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a", namespace: "n", labels: { app: "web" } },
    ...fields,
  };
}

describe("ignoredPointers", () => {
  const jsonPointers = ["/p"];
  it.each<readonly [name: string, rule: Omit<DriftIgnoreRule, "jsonPointers">, fits: boolean]>([
    ["everything", {}, true],
    ["a kind", { kind: "Deployment" }, true],
    ["another kind", { kind: "StatefulSet" }, false],
    ["an apiVersion", { apiVersion: "apps/v1" }, true],
    ["another apiVersion", { apiVersion: "apps/v2" }, false],
    ["a name", { name: "a", namespace: "n" }, true],
    ["another namespace", { name: "a", namespace: "m" }, false],
    ["labels", { labels: { app: "web" } }, true],
    ["other labels", { labels: { app: "web", tier: "front" } }, false],
  ])("of a rule for %s", (_name, rule, fits) => {
    expect(ignoredPointers(object({}), [{ ...rule, jsonPointers }])).toEqual(fits ? jsonPointers : []);
  });
});

describe("keepLiveFields", () => {
  const live = {
    spec: { replicas: 5, list: [{ image: "b" }, { image: "c" }], "a/b": { "~": 1 }, deep: { x: { y: 1 } } },
  };
  it.each<readonly [pointer: string, manifest: Record<string, unknown>, result: Record<string, unknown>]>([
    ["/spec/replicas", { spec: { replicas: 1 } }, { spec: { replicas: 5 } }],
    ["/spec/replicas", { spec: {} }, { spec: { replicas: 5 } }],
    ["/spec/replicas", {}, { spec: { replicas: 5 } }],
    ["/spec/gone", { spec: { gone: 1, stays: 1 } }, { spec: { stays: 1 } }],
    ["/spec/gone/deeper", { spec: { gone: { deeper: 1 } } }, { spec: { gone: {} } }],
    ["/other/gone", { a: 1 }, { a: 1 }],
    ["/spec/list/0/image", { spec: { list: [{ image: "a" }] } }, { spec: { list: [{ image: "b" }] } }],
    ["/spec/list/1/image", { spec: { list: [{ image: "a" }] } }, { spec: { list: [{ image: "a" }] } }],
    ["/spec/list/0", { spec: { list: [1, 2] } }, { spec: { list: [{ image: "b" }, 2] } }],
    ["/spec/list", { spec: { list: [] } }, { spec: { list: [{ image: "b" }, { image: "c" }] } }],
    ["/spec/list/x/image", { spec: { list: [{ image: "a" }] } }, { spec: { list: [{ image: "a" }] } }],
    ["/spec/a~1b/~0", { spec: { "a/b": { "~": 0 } } }, { spec: { "a/b": { "~": 1 } } }],
    ["/spec/deep/x/y", { spec: {} }, { spec: { deep: { x: { y: 1 } } } }],
    ["", { a: 1 }, { a: 1 }],
  ])("%s of %j gives %j", (pointer, manifest, result) => {
    const given = object(manifest);
    const before = structuredClone(given);
    expect(keepLiveFields(given, object(live), [pointer])).toEqual(object(result));
    expect(given).toEqual(before);
  });
});
