import { describe, expect, it } from "@jest/globals";
import { formatDescriptor } from "./format-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";
import { withRepositoryContext } from "./with-repository-context.ts";

const old = { type: "OCIRegistry", baseUrl: "old.example" };
const found = { type: "OCIRegistry", baseUrl: "new.example", subPath: "team" };
const v2 = {
  meta: { schemaVersion: "v2" },
  component: {
    name: "example.com/app",
    version: "1.0.0",
    provider: "test",
    repositoryContexts: [old],
    sources: [],
    componentReferences: [],
    resources: [],
  },
};
const v3 = {
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata: { name: "example.com/app", version: "1.0.0" },
  repositoryContexts: [old],
  spec: {},
};

describe("a descriptor with the repository that it was read from", () => {
  it.each([
    ["v2", v2],
    ["ocm.software/v3alpha1", v3],
  ] as const)("has it as its last context in schema %s and in the other one", (schemaVersion, document) => {
    const descriptor = withRepositoryContext(parseDescriptor(document, "test"), found);
    expect(descriptor.repositoryContexts).toEqual([old, found]);
    const other = schemaVersion === "v2" ? "ocm.software/v3alpha1" : "v2";
    for (const version of [schemaVersion, other] as const) {
      const again = parseDescriptor(formatDescriptor(descriptor, version), "test");
      expect(again.repositoryContexts).toEqual([old, found]);
    }
  });

  it("has no other change in its own schema", () => {
    const contexts = { repositoryContexts: [old, found] };
    const changed = { ...v2, component: { ...v2.component, ...contexts } };
    expect(formatDescriptor(withRepositoryContext(parseDescriptor(v2, "test"), found), "v2")).toEqual(changed);
    const read = withRepositoryContext(parseDescriptor(v3, "test"), found);
    expect(formatDescriptor(read, "ocm.software/v3alpha1")).toEqual({ ...v3, ...contexts });
  });

  it("has no empty lists in schema v3alpha1", () => {
    const read = withRepositoryContext(parseDescriptor(v2, "test"), found);
    expect(formatDescriptor(read, "ocm.software/v3alpha1")).toEqual({
      ...v3,
      metadata: { ...v3.metadata, provider: { name: "test" } },
      repositoryContexts: [old, found],
    });
  });

  it("is unchanged when that is its last context already, whatever the order of its fields", () => {
    const descriptor = parseDescriptor(v2, "test");
    expect(withRepositoryContext(descriptor, { baseUrl: "old.example", type: "OCIRegistry" })).toBe(descriptor);
  });
});
