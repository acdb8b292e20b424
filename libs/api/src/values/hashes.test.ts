import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { goJsonStringify } from "./go-json.ts";
import { hashDataObjectValue, hashTarget } from "./hashes.ts";

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

describe("hashDataObjectValue", () => {
  // Computed with Go: hex(sha1(json.MarshalIndent(value, "", "  "))).
  it.each([
    [{}, "bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f"],
    ["text", "3ade2bd0c2a4121dbb3955aecc452ae62749c6e3"],
    [{ a: [1, "<b>"] }, "a7d3dbd514587e4a137777b9311280bdb61077cb"],
    [null, "2be88ca4242c76e8253ac62474851065032d6833"],
  ])("hashes %p", (value, want) => {
    expect(hashDataObjectValue(value)).toBe(want);
  });

  it("hashes the indented, sorted and HTML-escaped JSON text", () => {
    const text = ["{", '  "a": "\\u003cx\\u003e",', '  "b": [', "    1,", "    true", "  ]", "}"].join("\n");
    expect(hashDataObjectValue({ b: [1, true], a: "<x>" })).toBe(sha1(text));
  });

  it("hashes integers beyond 2^53 as the float64 that Go reads", () => {
    expect(hashDataObjectValue([9_007_199_254_740_993n])).toBe(sha1("[\n  9007199254740992\n]"));
  });

  it("does not change with digits beyond float64, unlike the JSON text that detects changes", () => {
    const [one, other] = [9_223_372_036_854_775_806n, 9_223_372_036_854_775_807n];
    expect(hashDataObjectValue(one)).toBe(hashDataObjectValue(other));
    expect(goJsonStringify(one)).not.toBe(goJsonStringify(other));
  });

  it("does not depend on the order of keys", () => {
    expect(hashDataObjectValue({ a: 1, b: 2 })).toBe(hashDataObjectValue({ b: 2, a: 1 }));
  });
});

describe("hashTarget", () => {
  it("hashes the config as the API server sends it", () => {
    expect(hashTarget({ config: { kubeconfig: "a<b", a: [1] } })).toBe(
      sha1(String.raw`{"a":[1],"kubeconfig":"a\u003cb"}`),
    );
  });

  it("hashes the reference to a Secret, name before key", () => {
    expect(hashTarget({ secretRef: { key: "k", name: "s" } })).toBe(sha1('{"secretRef":{"name":"s","key":"k"}}'));
    expect(hashTarget({ secretRef: { name: "s" } })).toBe(sha1('{"secretRef":{"name":"s"}}'));
  });

  it("hashes nothing as the empty text", () => {
    expect(hashTarget({})).toBe(sha1(""));
  });
});
