import { describe, expect, it } from "@jest/globals";
import { changeDescriptor } from "./change-descriptor.ts";
import { formatDescriptor } from "./format-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";

const common = { name: "example.com/app", version: "1.0.0" };
const resource = { name: "text", version: "1.0.0", type: "plainText", access: { type: "none" } };
const signature = {
  name: "release",
  digest: { hashAlgorithm: "SHA-256", normalisationAlgorithm: "jsonNormalisation/v3", value: "00" },
  signature: { algorithm: "RSASSA-PSS", mediaType: "application/vnd.ocm.signature.rsa.pss", value: "00" },
};

describe("changeDescriptor", () => {
  it.each([
    { meta: { schemaVersion: "v2" }, component: { ...common, provider: "p", other: 1 }, own: "kept" },
    { apiVersion: "ocm.software/v3alpha1", kind: "ComponentVersion", metadata: { ...common, other: 1 }, own: "kept" },
  ])("changes lists and signatures, and keeps unknown fields: $apiVersion", (document) => {
    const changed = changeDescriptor(parseDescriptor(document, "test"), {
      resources: [resource],
      signatures: [signature],
    });
    const written = formatDescriptor(changed, changed.schemaVersion);
    const read = parseDescriptor(written, "test");
    expect(read).toMatchObject({ ...common, resources: [resource], signatures: [signature] });
    expect(JSON.stringify(written)).toContain('"other":1');
    expect(written).toMatchObject({ own: "kept" });
  });

  it("keeps unknown fields of the specification in schema v3alpha1", () => {
    const head = { apiVersion: "ocm.software/v3alpha1", kind: "ComponentVersion", metadata: common };
    const changed = changeDescriptor(parseDescriptor({ ...head, spec: { other: 1 } }, "test"), {
      resources: [resource],
    });
    expect(formatDescriptor(changed, changed.schemaVersion)).toEqual({
      ...head,
      spec: { other: 1, resources: [resource] },
    });
  });
});
