import { describe, expect, it } from "@jest/globals";
import { warnOfManifests } from "./warn-of-manifests.ts";

const configMap = (name: string, data: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "n" },
  data,
});
const list = (...items: readonly unknown[]) => ({ apiVersion: "v1", kind: "List", items });
const warningsOf = (...manifests: readonly unknown[]) => warnOfManifests(manifests, (index) => `m[${index}]`);

describe("warnOfManifests", () => {
  it("has none for different objects, for Lists of them, and for the same content twice", () => {
    expect(warningsOf(configMap("a"), list(configMap("b"), configMap("c")), configMap("a"))).toEqual([]);
  });

  it("names each List within a List", () => {
    expect(warningsOf(configMap("a"), list(configMap("b"), list(configMap("c"))))).toEqual([
      {
        reason: "NestedList",
        message: "m[1].items[1]: expected an object, found a List within a List; its items are applied",
      },
    ]);
  });

  it("names both places of an object that is given twice, also within a List", () => {
    expect(warningsOf(configMap("a", { x: "1" }), list(configMap("b"), configMap("a", { x: "2" })))).toEqual([
      {
        reason: "DuplicateObject",
        message: "m[1].items[1]: ConfigMap n/a is also at m[0], with other content; the last one is applied",
      },
    ]);
  });

  it("leaves invalid manifests to the check of the configuration", () => {
    expect(warningsOf("text", list("text"), { kind: "List", items: [list()] })).toEqual([]);
  });
});
