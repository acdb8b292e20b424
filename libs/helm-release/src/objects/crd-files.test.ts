import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { definitionIds, parseCrdFiles, storedCrds } from "./crd-files.ts";

const crd = (namespace?: string): UnstructuredObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "lids.example.org", ...(namespace === undefined ? {} : { namespace }) },
});
const configMap: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" } };
const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString("base64") });

describe("parseCrdFiles", () => {
  it("gives CRDs without a namespace, and other objects as they are", async () => {
    const texts = [JSON.stringify(crd("n")), JSON.stringify(configMap)];
    expect(await parseCrdFiles(texts)).toEqual([crd(), configMap]);
  });

  it("refuses a document other than an object", async () => {
    await expect(parseCrdFiles(["- a"])).rejects.toThrow("expected an object");
  });
});

describe("storedCrds", () => {
  it("reads crds/ of the chart in a record, and leaves out files that are unreadable", async () => {
    const files = [
      file("crds/a.yaml", JSON.stringify(crd("n"))),
      file("crds/broken.yaml", "{{ template }}"),
      file("crds/list.yaml", "- a"),
      file("crds/README.md", "CRDs"),
      file("other.yaml", JSON.stringify(configMap)),
    ];
    expect(await storedCrds({ chart: { files } })).toEqual([crd()]);
  });
});

describe("definitionIds", () => {
  it("has the CRDs alone", () => {
    expect(definitionIds([crd(), configMap])).toEqual(definitionIds([crd()]));
    expect(definitionIds([configMap]).size).toBe(0);
  });
});
