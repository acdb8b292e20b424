import { describe, expect, it } from "@jest/globals";
import { parseHelmConfig } from "../parse-helm-config.ts";

function parse(...valuesFrom: readonly object[]) {
  return parseHelmConfig(
    {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "app",
      namespace: "n",
      chart: { ref: "host/chart:1.0.0" },
      valuesFrom,
    },
    "spec.config",
  ).valuesFrom;
}

describe("valuesFrom", () => {
  it("has a key, by both of its names, and values.yaml by default", () => {
    const entry = { kind: "Secret", name: "s" } as const;
    const parsed = { ...entry, targetPath: undefined, isOptional: false };
    expect(parse(entry, { ...entry, key: "k" }, { ...entry, valuesKey: "k", optional: true })).toEqual([
      { ...parsed, key: "values.yaml", field: "valuesFrom[0]" },
      { ...parsed, key: "k", field: "valuesFrom[1]" },
      { ...parsed, key: "k", isOptional: true, field: "valuesFrom[2]" },
    ]);
  });

  const secret = { kind: "Secret", name: "s" };
  const path = "expected a path such as a.b[0].c";
  it.each<[object, string]>([
    [{ kind: "Pod", name: "s" }, '.kind: expected one of "Secret", "ConfigMap", "DataObject", found another text'],
    [{ kind: "Secret" }, ".name: required field is missing"],
    [{ ...secret, name: "" }, ".name: expected at least 1 character, found an empty string"],
    [{ ...secret, key: "" }, ".key: expected a key, found an empty string"],
    [{ ...secret, key: "a", valuesKey: "b" }, ": expected key or valuesKey, which mean the same, found both"],
    [{ kind: "DataObject", name: "d", valuesKey: "a" }, ".valuesKey: a DataObject has one value and no keys"],
    [{ ...secret, targetPath: "" }, `.targetPath: ${path}, found an empty string`],
    [
      { ...secret, targetPath: "a=b" },
      '.targetPath: expected one path such as a.b[0].c, found "=" or "," in it, which need a "\\" before them',
    ],
    [{ ...secret, targetPath: "a[0" }, `.targetPath: ${path}: error parsing index: EOF`],
    [{ ...secret, targetPath: "." }, `.targetPath: ${path}: key map "" has no value`],
    [{ ...secret, targetPath: "a[-1]" }, `.targetPath: ${path}: negative -1 index not allowed`],
    [{ ...secret, targetPath: "a\\" }, `.targetPath: ${path}, found a "\\" at its end`],
    [{ ...secret, targetPath: "[0]" }, `.targetPath: ${path}, found no name in it`],
  ])("refuses %j and names the field", (entry, problem) => {
    expect(() => parse(entry)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`valuesFrom[0]${problem}`) }),
    );
  });

  it("has at most 100 entries", () => {
    const entries = Array.from({ length: 101 }, () => secret);
    expect(parse(...entries.slice(1))).toHaveLength(100);
    expect(() => parse(...entries)).toThrow("spec.config: valuesFrom: expected at most 100 entries, found 101");
  });

  it("takes a path whose names have any characters", () => {
    expect(parse({ ...secret, targetPath: String.raw`a\.b\=c\,d[2].e` })).toHaveLength(1);
  });
});
