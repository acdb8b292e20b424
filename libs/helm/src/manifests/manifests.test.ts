import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import { array, assert, constantFrom, property } from "fast-check";
import { hooksOf, readHook, type Hook } from "./hook.ts";
import { installOrder, sortByKind, uninstallOrder } from "./kind-order.ts";
import { readManifestHead } from "./manifest-head.ts";
import { sortManifests } from "./sort-manifests.ts";
import { splitManifests } from "./split-manifests.ts";

describe("splitManifests", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["---\na\n---\nb", ["a", "b"]],
    ["a\n---\n---\nb", ["a", "---\nb"]],
    ["a\n  \n--- # c\nb\n", ["a", "# c\nb"]],
    ["a --- b\n ---\nc", ["a --- b\n ---\nc"]],
    ["a\n----\nb", ["a", "-\nb"]],
  ])("%j", (text, documents) => {
    expect(splitManifests(text)).toEqual(documents);
  });

  it("does what the expression (?:^|\\s*\\n)---\\s* does", () => {
    const piece = constantFrom("---", "\n", " ", "a", "\n---\n", "\t", "b\n", "\r");
    assert(
      property(array(piece), (pieces) => {
        const text = pieces.join("");
        const parts: string[] = [];
        let end = 0;
        for (const match of text.trim().matchAll(/(?:^|[ \t\n\f\r]*\n)---[ \t\n\f\r]*/g)) {
          parts.push(text.trim().slice(end, match.index));
          end = match.index + match[0].length;
        }
        parts.push(text.trim().slice(end));
        expect(splitManifests(text)).toEqual(parts.filter((part) => part !== "").map((part) => part.trim()));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("takes long blank texts apart in linear time", () => {
    const start = processorClock();
    expect(splitManifests(`a${" \n".repeat(500_000)}b\n---\nc`)).toHaveLength(2);
    expect(processorClock() - start).toBeLessThan(2000);
  });
});

describe("readManifestHead", () => {
  it.each([
    ["", { apiVersion: "", kind: "", name: "", annotations: [] }],
    ["KIND: a\nkind: b\napiVersion: 1.50", { apiVersion: "1.5", kind: "b", name: "", annotations: [] }],
    [
      "metadata: {name: 1_000, annotations: {b: 010, a: yes, c: ~, d: 12345678901234567890, e: 1000000.0}}",
      {
        apiVersion: "",
        kind: "",
        name: "1000",
        annotations: [
          ["a", "true"],
          ["b", "8"],
          ["c", ""],
          ["d", "12345678901234567890"],
          ["e", "1e+06"],
        ],
      },
    ],
    ["<<: {kind: 5}", { apiVersion: "", kind: "5", name: "", annotations: [] }],
    ["a: &n 1.0\nkind: *n", { apiVersion: "", kind: "1", name: "", annotations: [] }],
  ])("%j", (text, wanted) => {
    const { annotations, ...head } = readManifestHead(text);
    expect({ ...head, annotations: [...annotations] }).toEqual(wanted);
  });
});

const hook = (annotations: Readonly<Record<string, string>>): Hook => {
  const head = { apiVersion: "v1", kind: "Pod", name: "n", annotations: new Map(Object.entries(annotations)) };
  const read = readHook(head, { path: "c/templates/h.yaml", manifest: "m" });
  if (read === undefined || "unknownEvents" in read) throw new Error("no hook");
  return read;
};

describe("readHook", () => {
  it("reads events, weight and policies", () => {
    expect(
      hook({
        "helm.sh/hook": " Pre-Install,test-success",
        "helm.sh/hook-weight": "+5",
        "helm.sh/hook-delete-policy": "Hook-Succeeded, hook-failed",
        "helm.sh/hook-output-log-policy": "hook-failed",
      }),
    ).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      name: "n",
      path: "c/templates/h.yaml",
      manifest: "m",
      events: ["pre-install", "test"],
      weight: 5,
      deletePolicies: ["hook-succeeded", "hook-failed"],
      outputLogPolicies: ["hook-failed"],
    });
  });

  it.each([
    ["", 0],
    ["-3", -3],
    ["1.5", 0],
    ["99999999999999999999", 0],
  ])("takes the weight %j as %d", (text, weight) => {
    expect(hook({ "helm.sh/hook": "test", "helm.sh/hook-weight": text }).weight).toBe(weight);
  });
});

describe("hooksOf", () => {
  it("runs hooks by weight, then by name", () => {
    const of = (name: string, weight: number): Hook => ({ ...hook({ "helm.sh/hook": "test" }), name, weight });
    const hooks = [of("c", 1), of("b", 0), of("a", 1), of("z", -1)];
    expect(hooksOf(hooks, "test").map(({ name }) => name)).toEqual(["z", "b", "a", "c"]);
    expect(hooksOf(hooks, "pre-install")).toEqual([]);
  });
});

describe("sortByKind", () => {
  it("puts unknown kinds last, by name, and keeps the order of equal ones", () => {
    const objects = ["Zebra", "Service", "Aardvark", "Secret", "Service"].map((kind, at) => ({ kind, at }));
    const sorted = sortByKind(objects, installOrder).map(({ kind, at }) => `${kind}${at}`);
    expect(sorted).toEqual(["Secret3", "Service1", "Service4", "Aardvark2", "Zebra0"]);
  });

  it("knows the same kinds in both orders", () => {
    expect(uninstallOrder.toSorted()).toEqual(installOrder.toSorted());
  });
});

describe("sortManifests", () => {
  it("names the file of what is no manifest", () => {
    expect(() => sortManifests(new Map([["c/templates/a.yaml", "a: 1\n---\n- b"]]))).toThrow(
      "YAML parse error on c/templates/a.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array " +
        "into Go value of type releaseutil.SimpleHead",
    );
  });
});
