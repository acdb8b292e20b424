import { kubeResources } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { parseList, parseObject, parseStatus, parseStatusObject } from "./parse-answer.ts";

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
    [{ kind: "text of a server" }, 'kind "(none)"'],
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
    ['{"kind":"Status","reason":"NotFound"}', 404, { kind: "Status", reason: "NotFound" }],
    ["<html>your token is x</html>\n", 502, { message: "Bad Gateway" }],
    ['{"error":"x"}', 403, { message: "Forbidden" }],
    ['{"kind":"Status","message":{"a":"x"}}', 400, { message: "Bad Request" }],
    ['{"kind":"Status","details":{"causes":[{"message":1}]}}', 400, { message: "Bad Request" }],
    ['{"kind":"Status","details":{"name":["x"]}}', 404, { message: "Not Found" }],
    ["", 599, { message: "no message" }],
  ])("understands %p", (text, code, want) => {
    expect(parseStatus(text, code)).toEqual(want);
  });
});

describe("parseStatusObject", () => {
  it("quotes nothing but a Status", () => {
    expect(parseStatusObject({ kind: "Status", code: 410 })).toEqual({ kind: "Status", code: 410 });
    expect(parseStatusObject({ code: 410, message: "text of a server" })).toEqual({ code: 410 });
    expect(parseStatusObject("text of a server")).toEqual({});
  });
});
