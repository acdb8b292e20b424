import { describe, expect, it } from "@jest/globals";
import type { ReadinessRequirement } from "@landscaper/api";
import { checkRequirements } from "./custom-check.ts";

const object = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", labels: { "app.example/tier": "web" } },
  data: {
    text: "1",
    number: 1,
    float: 1.0,
    flag: true,
    empty: "",
    nothing: null,
    list: [1, 2],
    map: { a: { b: "c" } },
  },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Synced", status: "False" },
    ],
  },
};

function passes(jsonPath: string, operator: ReadinessRequirement["operator"], ...values: unknown[]): boolean {
  const requirement = { jsonPath, operator, values: values.map((value) => ({ value })) };
  return checkRequirements(object, [requirement]).ready;
}

describe("a requirement on a field that is there", () => {
  it.each<readonly [string, ReadinessRequirement["operator"], unknown[], boolean]>([
    [".data.text", "exists", [], true],
    [".data.text", "!", [], false],
    [".data.text", "=", ["1"], true],
    [".data.text", "==", ["1"], true],
    [".data.text", "==", ["2"], false],
    [".data.text", "==", [1], false],
    [".data.number", "==", [1], true],
    [".data.number", "==", ["1"], false],
    [".data.float", "==", [1], true],
    [".data.flag", "==", [true], true],
    [".data.flag", "==", ["true"], false],
    [".data.empty", "exists", [], true],
    [".data.nothing", "==", [null], true],
    [".data.list", "==", [[1, 2]], true],
    [".data.list", "==", [[2, 1]], false],
    [".data.map", "==", [{ a: { b: "c" } }], true],
    [".data.text", "in", ["0", "1"], true],
    [".data.text", "in", ["0", "2"], false],
    [".data.text", "!=", ["2"], true],
    [".data.text", "!=", ["1"], false],
    [".data.text", "notin", ["0", "2"], true],
    [".data.text", "notin", ["0", "1"], false],
  ])("%s %s %j: %j", (...[jsonPath, operator, values, want]) => {
    expect(passes(jsonPath, operator, ...values)).toBe(want);
  });
});

describe("a requirement on a field that is missing", () => {
  it.each<readonly [ReadinessRequirement["operator"], boolean]>([
    ["!", true],
    ["exists", false],
    ["=", false],
    ["==", false],
    ["!=", false],
    ["in", false],
    ["notin", false],
  ])("%s: %j", (operator, want) => {
    expect(passes(".data.missing.deeper", operator, "x")).toBe(want);
  });
});

describe("the path of a requirement", () => {
  it.each([
    ["without leading dot", "data.text", "1"],
    ["with leading dot", ".data.text", "1"],
    ["in braces", "{.data.text}", "1"],
    ["with spaces around", "  .data.text ", "1"],
    ["with an escaped dot", ".metadata.labels.app\\.example/tier", "web"],
    ["with quotes", ".metadata.labels['app\\.example/tier']", "web"],
    ["with a filter", '.status.conditions[?(@.type=="Ready")].status', "True"],
    ["with an index", ".data.list[1]", 2],
  ])("%s", (_name, jsonPath, value) => {
    expect(passes(jsonPath, "==", value)).toBe(true);
  });

  it("a filter without matches is a missing field, no crash", () => {
    const path = '.status.conditions[?(@.type=="Stalled")].status';
    expect(passes(path, "==", "True")).toBe(false);
    expect(passes(path, "!")).toBe(true);
  });

  it("with several matches all must fulfil the requirement", () => {
    expect(passes(".status.conditions[*].status", "in", "True", "False")).toBe(true);
    expect(passes(".status.conditions[*].status", "==", "True")).toBe(false);
  });
});

it("the message names the first requirement that fails, and no value", () => {
  const readiness = checkRequirements(object, [
    { jsonPath: ".data.text", operator: "exists" },
    { jsonPath: ".data.number", operator: "==", values: [{ value: "sentinel" }] },
    { jsonPath: ".data.flag", operator: "!" },
  ]);
  expect(readiness).toEqual({ ready: false, message: '.data.number does not fulfil "=="' });
});

describe("a path that does not fit the object", () => {
  it.each([
    [".data.list[5]", "array index out of bounds: index 5, length 2"],
    [".data.nothing[?(@.a==1)]", "null is not array or slice and cannot be filtered"],
    [".data.text[0]", "string is not array or slice"],
    [".status.conditions[?(@.type==1)].status", "incompatible types for comparison"],
  ])("%s is not ready yet, whatever is asked of it", (jsonPath, problem) => {
    for (const operator of ["!", "exists", "!="] as const) {
      expect(checkRequirements(object, [{ jsonPath, operator, values: [{ value: "x" }] }])).toEqual({
        ready: false,
        message: `${jsonPath} does not fit the object: ${problem}`,
      });
    }
  });
});
