import { describe, expect, it } from "@jest/globals";
import type { ConfigMap, Secret } from "@landscaper/api";
import { type KeyImport, valueOfConfigMap, valueOfSecret } from "./reference-value.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const of = (key: string | undefined): KeyImport => ({ importName: "i", key });

function secret(entries: Record<string, string>): Secret {
  const data = Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, base64(text)]));
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data };
}

function configMap(fields: Partial<ConfigMap>): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, ...fields };
}

describe("values of Secrets and ConfigMaps (core.md §3.9, §4.43)", () => {
  it("are YAML by key", () => {
    expect(valueOfSecret(secret({ a: "5" }), of("a"))).toBe(5);
    expect(valueOfSecret(secret({ a: "text" }), of("a"))).toBe("text");
    expect(valueOfSecret(secret({ a: "x: [1, true]" }), of("a"))).toEqual({ x: [1, true] });
    expect(valueOfConfigMap(configMap({ data: { a: "null" } }), of("a"))).toBe(null);
  });

  it.each([undefined, ""])("are a map of YAML values as a whole, key %j", (key) => {
    expect(valueOfSecret(secret({ a: "5", b: "text" }), of(key))).toEqual({ a: 5, b: "text" });
    expect(valueOfConfigMap(configMap({ data: { a: "5" } }), of(key))).toEqual({ a: 5 });
    expect(valueOfConfigMap(configMap({}), of(undefined))).toEqual({});
  });

  it("are undefined for a key that is not there", () => {
    expect(valueOfSecret(secret({}), of("a"))).toBeUndefined();
    expect(valueOfConfigMap(configMap({ data: { b: "1" } }), of("a"))).toBeUndefined();
  });

  it("of binaryData stand in for data", () => {
    expect(valueOfConfigMap(configMap({ data: { a: "1" }, binaryData: { a: base64("2") } }), of("a"))).toBe(2);
  });

  it("are refused with the place of what is not YAML, and without their content", () => {
    expect(() => valueOfSecret(secret({ a: "secret: [" }), of("a"))).toThrow(
      /^import "i": Secret "s", key "a": expected YAML, found other text at line \d+, column \d+: (?!.*secret)/,
    );
    expect(() => valueOfConfigMap(configMap({ data: { a: "x: hidden: y" } }), of("a"))).toThrow(
      expect.objectContaining({ reason: "ImportUnreadable" }),
    );
    expect(() => valueOfConfigMap(configMap({ data: { a: "x: hidden: y" } }), of("a"))).toThrow(
      /^import "i": ConfigMap "c", key "a": expected YAML, found other text at line 1, column \d+: (?!.*hidden)/,
    );
  });
});
