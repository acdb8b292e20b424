import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { ignoredFields, mayFit, type IgnoreRule } from "./ignore-rules.ts";
import { keepsAll, withKeptFields } from "./kept-field.ts";

function object(fields: Record<string, unknown>): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a", namespace: "n", labels: { app: "web" } },
    ...fields,
  };
}

describe("the objects of a rule", () => {
  const jsonPointers = ["/p"];
  it.each<readonly [name: string, rule: Omit<IgnoreRule, "jsonPointers">, fits: boolean]>([
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
    const paths = ignoredFields({ manifest: object({}), live: object({}) }, [{ ...rule, jsonPointers }]).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(fits ? [["p"]] : []);
  });

  it("may fit whatever the labels on the target are", () => {
    expect(mayFit({ labels: { tier: "front" }, jsonPointers }, object({}))).toBe(true);
    expect(mayFit({ kind: "StatefulSet", jsonPointers }, object({}))).toBe(false);
  });
});

describe("a manifest with the ignored fields of the target", () => {
  const live = {
    spec: {
      replicas: 5,
      list: [{ image: "b" }, { image: "c" }],
      "a/b": { "~": 1 },
      deep: { x: { y: 1 } },
      ports: { "80": "http" },
      named: [
        { name: "proxy", image: "p" },
        { name: "app", image: "new" },
      ],
      notes: { touched: "1" },
    },
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
    ["/spec/list/0/image", { spec: {} }, { spec: {} }],
    ["/spec/list/0", { spec: { list: [1, 2] } }, { spec: { list: [{ image: "b" }, 2] } }],
    ["/spec/list", { spec: { list: [] } }, { spec: { list: [{ image: "b" }, { image: "c" }] } }],
    ["/spec/list/x/image", { spec: { list: [{ image: "a" }] } }, { spec: { list: [{ image: "a" }] } }],
    ["/spec/a~1b/~0", { spec: { "a/b": { "~": 0 } } }, { spec: { "a/b": { "~": 1 } } }],
    ["/spec/deep/x/y", { spec: {} }, { spec: { deep: { x: { y: 1 } } } }],
    ["/spec/ports/80", { spec: {} }, { spec: { ports: { "80": "http" } } }],
    ["/spec/ports/80", { spec: { ports: [1] } }, { spec: { ports: [1] } }],
    ["/spec/notes/touched", { spec: { notes: null } }, { spec: { notes: { touched: "1" } } }],
    [
      "/spec/named/1/image",
      { spec: { named: [{ name: "app", image: "old" }] } },
      { spec: { named: [{ name: "app", image: "new" }] } },
    ],
    [
      "/spec/named/0/image",
      { spec: { named: [{ name: "app", image: "old" }] } },
      { spec: { named: [{ name: "app", image: "old" }] } },
    ],
  ])("%s of %j gives %j", (pointer, manifest, result) => {
    const given = object(manifest);
    const before = structuredClone(given);
    const fields = ignoredFields({ manifest: given, live: object(live) }, [{ jsonPointers: [pointer] }]);
    expect(withKeptFields(given, fields)).toEqual(object(result));
    expect(given).toEqual(before);
  });
});

it("the empty pointer names the whole object", () => {
  const fields = ignoredFields({ manifest: object({}), live: object({}) }, [{ jsonPointers: [""] }]);
  expect(keepsAll(fields)).toBe(true);
});
