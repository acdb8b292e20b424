import { describe, expect, it } from "@jest/globals";
import type { ConfigMap, Secret } from "@landscaper/api";
import { valueOfConfigMap, valueOfSecret } from "./reference-value.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function secret(entries: Record<string, string>): Secret {
  const data = Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, base64(text)]));
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data };
}

function configMap(fields: Partial<ConfigMap>): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, ...fields };
}

describe("values of Secrets and ConfigMaps (core.md §3.9, §4.43)", () => {
  it("are YAML by key", () => {
    expect(valueOfSecret(secret({ a: "5" }), "a")).toBe(5);
    expect(valueOfSecret(secret({ a: "text" }), "a")).toBe("text");
    expect(valueOfSecret(secret({ a: "x: [1, true]" }), "a")).toEqual({ x: [1, true] });
    expect(valueOfConfigMap(configMap({ data: { a: "null" } }), "a")).toBe(null);
  });

  it.each([undefined, ""])("are a map of YAML values as a whole, key %j", (key) => {
    expect(valueOfSecret(secret({ a: "5", b: "text" }), key)).toEqual({ a: 5, b: "text" });
    expect(valueOfConfigMap(configMap({ data: { a: "5" } }), key)).toEqual({ a: 5 });
    expect(valueOfConfigMap(configMap({}), undefined)).toEqual({});
  });

  it("are undefined for a key that is not there", () => {
    expect(valueOfSecret(secret({}), "a")).toBeUndefined();
    expect(valueOfConfigMap(configMap({ data: { b: "1" } }), "a")).toBeUndefined();
  });

  it("of binaryData stand in for data", () => {
    expect(valueOfConfigMap(configMap({ data: { a: "1" }, binaryData: { a: base64("2") } }), "a")).toBe(2);
  });

  it("that are no YAML are refused without being told", () => {
    expect(() => valueOfSecret(secret({ a: "secret: [" }), "a")).toThrow(/^secret "s", key "a": expected YAML$/);
  });
});
