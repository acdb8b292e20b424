import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { SchemaVersion } from "./component-descriptor.ts";
import { formatDescriptor } from "./format-descriptor.ts";
import { parseDescriptor } from "./parse-descriptor.ts";

const version = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((parts) => `v${parts.join(".")}`);
const componentName = fc.stringMatching(/^[a-z]{1,5}\.[a-z]{2,3}\/[a-z]{1,5}$/);
const text = fc.string({ maxLength: 5 });
const label = fc.record(
  {
    name: fc.string({ minLength: 1, maxLength: 5 }),
    value: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(9_223_372_036_854_775_807n, 9_007_199_254_740_993n)),
    version: text,
    signing: fc.boolean(),
  },
  { requiredKeys: ["name"] },
);
const labels = fc.array(label, { maxLength: 2 });
const identity = fc.record(
  {
    name: fc.stringMatching(/^[a-z]{2,6}$/),
    extraIdentity: fc.dictionary(fc.constantFrom("os", "arch", "__proto__"), text, { noNullPrototype: true }),
    labels,
    unknown: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ["name"] },
);
const versioned = fc.tuple(identity, version).map(([fields, version]) => ({ ...fields, version }));
const reference = fc.tuple(versioned, componentName).map(([fields, name]) => ({ ...fields, componentName: name }));
const listOf = <T extends { readonly name: string }>(items: fc.Arbitrary<T>) =>
  fc.uniqueArray(items, { maxLength: 3, selector: ({ name }) => name });

const fields = {
  resources: listOf(versioned),
  sources: listOf(versioned),
  references: listOf(reference),
  repositoryContexts: fc.array(fc.record({ type: text, baseUrl: text }), { maxLength: 2 }),
};
const metadata = fc.record(
  {
    name: componentName,
    version,
    labels,
    provider: fc.record({ name: fc.stringMatching(/^[a-z.]{1,8}$/), labels }, { requiredKeys: ["name"] }),
    creationTime: fc.constant("2026-01-02T03:04:05Z"),
  },
  { requiredKeys: ["name", "version"] },
);
const descriptor = fc.tuple(metadata, fc.record(fields)).map(([metadata, { repositoryContexts, ...lists }]) => ({
  apiVersion: "ocm.software/v3alpha1",
  kind: "ComponentVersion",
  metadata,
  repositoryContexts,
  spec: lists,
}));

function modelOf(document: unknown): unknown {
  const { schemaVersion: _, document: __, ...model } = parseDescriptor(document, "generated");
  return model;
}

describe("a descriptor", () => {
  it("is the same after any number of ways between the schemas", () => {
    const schemas = fc.array(fc.constantFrom<SchemaVersion>("v2", "ocm.software/v3alpha1"), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(descriptor, schemas, (document, ways) => {
        const last = ways.reduce<unknown>(
          (current, way) => formatDescriptor(parseDescriptor(current, way), way),
          document,
        );
        expect(modelOf(last)).toEqual(modelOf(document));
      }),
      { seed: 20261, numRuns: 200 },
    );
  });
});
