import { describe, expect, it } from "@jest/globals";
import { checkConfig, isLargeConfig } from "./check-config.ts";

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};
const list = (length: number, entry: unknown = 1): unknown[] => Array.from({ length }, () => entry);
const tooMuch = (found: string): string => `spec.config: found ${found}, which no pass of a job may work on`;

it.each([
  ["a few objects", { manifests: list(100, { a: 1 }) }, false],
  ["many objects", { manifests: list(1001, { a: 1 }) }, true],
  ["a long text", { text: "x".repeat(1_000_000) }, false],
])("isLargeConfig judges %s", (_, config, want) => {
  expect(isLargeConfig(config)).toBe(want);
});

describe("checkConfig", () => {
  it.each([
    ["many values", { values: { a: { b: { c: list(101_000) } } } }, "more than 100000 values"],
    ["many objects", { manifests: list(5001, {}) }, "a list of more than 5000 entries"],
    ["many items of a List", { manifests: [{ manifest: { items: list(5001) } }] }, undefined],
    ["many exports", { exports: { exports: list(5001) } }, "a list of more than 5000 entries"],
    ["a long list of data", { manifests: [{ manifest: { spec: { list: list(50_000) } } }] }, undefined],
    ["a long text", { values: { text: "x".repeat(1_000_000) } }, undefined],
    ["many levels", { values: nested(200) }, "more than 200 levels"],
    ["a few levels", { values: nested(150) }, undefined],
    ["no object", null, undefined],
  ])("judges %s", (_, config, found) => {
    const check = (): void => checkConfig(config, "spec.config");
    if (found === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(tooMuch(found));
  });
});
