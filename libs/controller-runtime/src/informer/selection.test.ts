import { describe, expect, it } from "@jest/globals";
import { createSelection } from "./selection.ts";

const object = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "n", name: "a", labels: { app: "web" } },
};

describe("createSelection", () => {
  it.each([
    [{}, "yes"],
    [{ namespace: "n" }, "yes"],
    [{ namespace: "m" }, "no"],
    [{ labelSelector: "app=web" }, "yes"],
    [{ labelSelector: "app=db" }, "no"],
    [{ fieldSelector: "metadata.name=a" }, "yes"],
    [{ fieldSelector: "metadata.name=b" }, "no"],
    [{ fieldSelector: "metadata.name==a,metadata.namespace=n" }, "yes"],
    [{ fieldSelector: "type=Opaque" }, "unknown"],
    [{ fieldSelector: "metadata.name!=a" }, "unknown"],
    // What excludes the object for sure needs no judgement of the rest.
    [{ fieldSelector: "type=Opaque", namespace: "m" }, "no"],
  ])("judges by %p: %s", (options, want) => {
    expect(createSelection(options).matches(object)).toBe(want);
  });

  it("passes everything on to the API server", () => {
    const options = { namespace: "n", labelSelector: "a=b", fieldSelector: "type=Opaque", metadataOnly: true };
    expect(createSelection(options).query).toEqual(options);
  });
});
