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
    ["a Secret with a number, which the API server refuses", { stringData: { a: 1 } }],
    ["a Secret with null, for which the API server has its own rules", { stringData: { a: null } }],
    ["a Secret with a list", { stringData: ["a"] }],
    ["a Secret with a text as data", { stringData: { a: "x" }, data: "x" }],
    ["an object of another kind", { kind: "ConfigMap", stringData: { a: "x" } }],
    ["an object of another group", { apiVersion: "example.org/v1", stringData: { a: "x" } }],
  ])("does not change %s", (_, fields) => {
    const object = { ...base, ...fields };
    expect(encodeStringData(object)).toBe(object);
  });
});
