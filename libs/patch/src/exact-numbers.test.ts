import { describe, expect, it } from "@jest/globals";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch, applyStrategicMergePatch, createThreeWayPatch, isDeepEqual } from "./index.ts";

const kind = { apiVersion: "v1", kind: "ConfigMap" };
const int64 = 9_223_372_036_854_775_807n;

describe("patches with integers beyond 2^53", () => {
  it("keeps them in a merge patch", () => {
    expect(applyMergePatch({ a: int64, b: { c: 1 } }, { b: { c: int64 - 1n, d: null } })).toEqual({
      a: int64,
      b: { c: int64 - 1n },
    });
  });

  it("keeps them in a strategic merge patch", () => {
    expect(applyStrategicMergePatch({ a: int64 }, { b: [int64] }, kind)).toEqual({ a: int64, b: [int64] });
  });

  it("keeps and tests them in a JSON patch", () => {
    const patch = [
      { op: "test", path: "/a", value: int64 },
      { op: "add", path: "/b", value: int64 - 1n },
      { op: "copy", from: "/a", path: "/c" },
    ];
    expect(applyJsonPatch({ a: int64 }, patch)).toEqual({ a: int64, b: int64 - 1n, c: int64 });
    expect(() => applyJsonPatch({ a: int64 }, [{ op: "test", path: "/a", value: int64 - 1n }])).toThrow("/a");
  });

  it("writes a change of the last digit into a three-way patch, and nothing if the server stores the same", () => {
    const patchOf = (wanted: unknown, live: unknown) =>
      createThreeWayPatch({ original: { a: live }, modified: { a: wanted }, current: { a: live } }, kind);
    expect(JSON.stringify(patchOf(int64, int64 - 1n))).toContain("9223372036854775807");
    expect(JSON.stringify(patchOf(2n ** 64n - 1n, 18_446_744_073_709_552_000n))).not.toContain("18446744");
  });
});

describe("isDeepEqual", () => {
  it.each<[left: unknown, right: unknown, isEqual: boolean]>([
    [{ a: [int64] }, { a: [int64] }, true],
    [{ a: [int64] }, { a: [int64 - 1n] }, false],
    [{ a: 2n ** 64n - 1n }, { a: 18_446_744_073_709_552_000n }, true],
    [{ a: 1e16 }, { a: 10_000_000_000_000_000n }, true],
    [-0, 0, true],
    [int64, String(int64), false],
  ])("compares %p and %p as an API server stores them: %s", (left, right, isEqual) => {
    expect(isDeepEqual(left, right)).toBe(isEqual);
  });
});

describe("isDeepEqual of fields with the names of inherited members", () => {
  it.each(["__proto__", "constructor", "toString"])("sees that %s is missing", (name) => {
    const given: unknown = JSON.parse(`{"${name}":{}}`);
    expect(isDeepEqual(given, { other: {} })).toBe(false);
    expect(isDeepEqual({ other: {} }, given)).toBe(false);
    expect(isDeepEqual(given, JSON.parse(`{"${name}":{}}`))).toBe(true);
  });
});
