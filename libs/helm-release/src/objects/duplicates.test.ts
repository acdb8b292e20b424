import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { describeDuplicates, splitDuplicates } from "./duplicates.ts";

const type = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };

function objectOf(name: string, data?: string, namespace?: string): UnstructuredObject {
  const metadata = namespace === undefined ? { name } : { name, namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: data } };
}

const release = (name: string, data?: string) => ({ type, object: objectOf(name, data, "n") });
const [a1, a2, a3, b] = [release("a", "1"), release("a", "2"), release("a", "3"), release("b")];

describe("objects that a chart has more than once", () => {
  it("are split into parts with one copy each, in their order", () => {
    expect(splitDuplicates([a1, b, a2, a3])).toEqual([[a1, b], [a2], [a3]]);
    expect(splitDuplicates([])).toEqual([]);
  });

  it("are described by their names and templates, whether they name the namespace or not", () => {
    const placed = [
      { path: "one.yaml", object: objectOf("a") },
      { path: "two.yaml", object: objectOf("a", "2", "n") },
      { path: "two.yaml", object: objectOf("b", "2", "other") },
      { path: "two.yaml", object: objectOf("b") },
    ];
    expect(describeDuplicates(placed, "n")).toBe("ConfigMap a (2 times, in one.yaml, two.yaml)");
    expect(describeDuplicates(placed.slice(2), "n")).toBeUndefined();
  });
});
