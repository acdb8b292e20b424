import { describe, expect, it } from "@jest/globals";
import { fillTemplate, indent, parseManifests } from "../../src/examples/manifests.ts";

describe("fillTemplate", () => {
  it("fills what it knows and leaves the rest", () => {
    expect(fillTemplate("a ${x} ${y}", { x: "1" })).toBe("a 1 ${y}");
  });
});

describe("indent", () => {
  it("moves every line", () => {
    expect(indent("a:\n  b\n", 2)).toBe("  a:\n    b");
  });
});

describe("parseManifests", () => {
  it("reads all documents and skips empty ones", () => {
    const text =
      "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n---\n---\napiVersion: v1\nkind: Pod\nmetadata: {}\n";
    expect(parseManifests(text)).toEqual([
      { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
      { apiVersion: "v1", kind: "Pod", metadata: {} },
    ]);
  });

  it("refuses what is no Kubernetes object", () => {
    expect(() => parseManifests("kind: Secret")).toThrow(
      new Error("a document of a manifest has no apiVersion, kind and metadata"),
    );
  });

  it("refuses broken YAML", () => {
    expect(() => parseManifests("a: [")).toThrow("Flow sequence");
  });
});
