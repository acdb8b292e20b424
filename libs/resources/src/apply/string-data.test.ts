import { describe, expect, it } from "@jest/globals";
import { encodeStringData } from "./string-data.ts";

const base = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };

describe("stringData of a Secret that is applied", () => {
  it.each<[string, object, object]>([
    ["becomes data", { stringData: { a: "x", b: "ä" } }, { data: { a: "eA==", b: "w6Q=" } }],
    [
      "wins over data",
      { data: { a: "eQ==", c: "eg==" }, stringData: { a: "x" }, type: "Opaque" },
      { data: { a: "eA==", c: "eg==" }, type: "Opaque" },
    ],
    ["is empty", { stringData: {} }, { data: {} }],
    ["has a key that no object has by itself", { stringData: { constructor: "x" } }, { data: { constructor: "eA==" } }],
  ])("%s", (_, fields, expected) => {
    expect(encodeStringData({ ...base, ...fields })).toEqual({ ...base, ...expected });
  });

  it.each<[string, object]>([
    ["a Secret without it", { data: { a: "eA==" } }],
    ["a value that is no text, which the API server refuses", { stringData: { a: 1 } }],
    ["an empty value, which the API server has its own rules for", { stringData: { a: null } }],
    ["a list", { stringData: ["a"] }],
    ["data that is no map", { stringData: { a: "x" }, data: "x" }],
    ["another kind", { kind: "ConfigMap", stringData: { a: "x" } }],
    ["another group", { apiVersion: "example.org/v1", stringData: { a: "x" } }],
  ])("stays as it is: %s", (_, fields) => {
    const object = { ...base, ...fields };
    expect(encodeStringData(object)).toBe(object);
  });
});
