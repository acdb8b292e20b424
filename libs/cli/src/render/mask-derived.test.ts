import { describe, expect, it } from "@jest/globals";
import { maskDerived } from "./mask-derived.ts";

describe("maskDerived", () => {
  it.each([
    [
      "nothing where nothing differs",
      { a: ["b", 1, null, true] },
      { a: ["b", 1, null, true] },
      { a: ["b", 1, null, true] },
    ],
    ["the words that differ", "https://me:hunter2@host", "https://zr:uhagre5@host", "https://[...]@host"],
    [
      "numbers and booleans",
      { a: 1, b: true, c: null },
      { a: 2, b: false, c: null },
      { a: "[...]", b: "[...]", c: null },
    ],
    ["lists of another length", [1, "a"], [1], ["[...]", "[...]"]],
    ["what has no counterpart", { a: { b: "c" } }, { z: 1 }, { a: { b: "[...]" } }],
    ["everything where nothing is known", { a: ["b", 1] }, undefined, { a: ["[...]", "[...]"] }],
    ["long texts as a whole", `${"a ".repeat(10_000)}b`, `${"a ".repeat(10_000)}c`, "[...]"],
    [
      "what Secrets hold",
      { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { a: "b" } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { a: "b" } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { a: "[...]" } },
    ],
  ])("masks %s", (...[, value, other, want]) => {
    expect(maskDerived({ value, other })).toEqual(want);
  });
});
