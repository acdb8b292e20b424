import { kubeResources } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { parseList, parseObject, parseStatus } from "./parse-answer.ts";

const { configMap } = kubeResources;

describe("parseObject", () => {
  it("takes an object with metadata", () => {
    const value = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    expect(parseObject(value, configMap)).toBe(value);
  });

  it.each([
    [undefined, "undefined"],
    ["text", "string"],
    [[], "an array"],
    [{ kind: "Status" }, 'kind "Status"'],
    [{}, 'kind "(none)"'],
  ])("refuses %p", (value, found) => {
    const want = new TypeError(`the API server answered with no ConfigMap but ${found}`);
    expect(() => parseObject(value, configMap)).toThrow(want);
  });
});

describe("parseList", () => {
  it("gives items the kind that lists leave out", () => {
    const value = { metadata: { resourceVersion: "7", continue: "next" }, items: [{ metadata: { name: "a" } }] };
    expect(parseList(value, configMap)).toEqual({
      resourceVersion: "7",
      next: "next",
      items: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }],
    });
  });

  it("takes null for no items, as Go writes them", () => {
    expect(parseList({ metadata: {}, items: null }, configMap)).toEqual({ resourceVersion: "", next: "", items: [] });
  });

  it("refuses what is no list", () => {
    const want = new TypeError('the API server answered with no list of ConfigMap but kind "ConfigMap"');
    expect(() => parseList({ kind: "ConfigMap", metadata: {} }, configMap)).toThrow(want);
  });
});

describe("parseStatus", () => {
  it.each([
    ['{"kind":"Status","reason":"NotFound"}', { kind: "Status", reason: "NotFound" }],
    ["<html>bad gateway</html>\n", { message: "<html>bad gateway</html>" }],
    ['{"error":"x"}', { message: '{"error":"x"}' }],
    ["", {}],
    ["x".repeat(2_000), { message: "x".repeat(512) }],
  ])("understands %p", (text, want) => {
    expect(parseStatus(text)).toEqual(want);
  });
});
