import { describe, expect, it } from "@jest/globals";
import { negotiate } from "./negotiate.ts";

describe("negotiate", () => {
  const cases: readonly (readonly [string | undefined, unknown])[] = [
    [undefined, { form: "object" }],
    ["", { form: "object" }],
    ["*/*", { form: "object" }],
    ["application/json", { form: "object" }],
    ["application/json, */*", { form: "object" }],
    ["application/vnd.kubernetes.protobuf,application/json", { form: "object" }],
    ["application/json;as=Table;v=v1;g=meta.k8s.io,application/json", { form: "table", version: "v1" }],
    ["application/json; as=Table; v=v1beta1; g=meta.k8s.io", { form: "table", version: "v1beta1" }],
    ["application/json;as=Table;v=v9;g=meta.k8s.io,application/json", { form: "object" }],
    ["application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", { form: "metadata", version: "v1" }],
    ["application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", { form: "metadata", version: "v1" }],
    [
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
      { form: "discovery", version: "v2" },
    ],
    ["application/json;as=Unknown;v=v1,application/json", { form: "object" }],
  ];
  for (const [accept, want] of cases) {
    it(`answers ${JSON.stringify(want)} to ${accept}`, () => {
      expect(negotiate(accept)).toEqual(want);
    });
  }

  it("refuses what it cannot write", () => {
    expect(() => negotiate("text/html, application/vnd.kubernetes.protobuf")).toThrow("406: Not Acceptable");
  });
});
