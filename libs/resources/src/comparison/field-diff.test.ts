import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import * as fc from "fast-check";
import { diffObjects, type FieldChange } from "./field-diff.ts";

function object(fields: Record<string, unknown>, metadata: Record<string, unknown> = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "Any", metadata: { name: "a", namespace: "n", ...metadata }, ...fields };
}

describe("diffObjects", () => {
  const rows: readonly (readonly [
    name: string,
    from: UnstructuredObject | undefined,
    to: UnstructuredObject | undefined,
    changes: FieldChange[],
  ])[] = [
    ["nothing", object({ a: 1 }), object({ a: 1 }), []],
    ["a field", object({ a: 1 }), object({ a: 2 }), [{ path: ".a", type: "changed", from: 1, to: 2 }]],
    ["a new field", object({}), object({ a: { b: 2 } }), [{ path: ".a.b", type: "added", to: 2 }]],
    ["a field that goes", object({ a: { b: 2 } }), object({ a: {} }), [{ path: ".a.b", type: "removed", from: 2 }]],
    [
      "a field that becomes null",
      object({ a: 1 }),
      object({ a: null }),
      [{ path: ".a", type: "changed", from: 1, to: null }],
    ],
    ["empty maps", object({ a: {} }), object({}), []],
    [
      "keys that are no words",
      object({ "a.b": 1 }),
      object({ "a.b": 2 }),
      [{ path: '["a.b"]', type: "changed", from: 1, to: 2 }],
    ],
    [
      "a list as a whole",
      object({ a: [1, 2] }),
      object({ a: [2] }),
      [{ path: ".a", type: "changed", from: [1, 2], to: [2] }],
    ],
    [
      "items by name, in any order",
      object({
        c: [
          { name: "x", v: 1 },
          { name: "y", v: 1 },
        ],
      }),
      object({
        c: [
          { name: "y", v: 2 },
          { name: "x", v: 1 },
        ],
      }),
      [{ path: ".c[name=y].v", type: "changed", from: 1, to: 2 }],
    ],
    [
      "the order of items with names",
      object({ c: [{ name: "x" }, { name: "y" }] }),
      object({ c: [{ name: "y" }, { name: "x" }] }),
      [{ path: ".c", type: "changed", from: [{ name: "x" }, { name: "y" }], to: [{ name: "y" }, { name: "x" }] }],
    ],
    [
      "an item with a name that comes",
      object({ c: [{ name: "x" }] }),
      object({ c: [{ name: "x" }, { name: "y" }] }),
      [{ path: ".c[name=y].name", type: "added", to: "y" }],
    ],
    [
      "items whose names are not unique, as a whole",
      object({
        c: [
          { name: "x", v: 1 },
          { name: "x", v: 2 },
        ],
      }),
      object({ c: [{ name: "x", v: 1 }] }),
      [
        {
          path: ".c",
          type: "changed",
          from: [
            { name: "x", v: 1 },
            { name: "x", v: 2 },
          ],
          to: [{ name: "x", v: 1 }],
        },
      ],
    ],
    [
      "bookkeeping and status",
      object({ status: { a: 1 } }, { uid: "1", resourceVersion: "1" }),
      object({}, { managedFields: [] }),
      [],
    ],
    [
      "labels",
      object({}, { labels: { a: "1" } }),
      object({}, { labels: { a: "2" } }),
      [{ path: ".metadata.labels.a", type: "changed", from: "1", to: "2" }],
    ],
    ["an object that comes", undefined, object({ a: 1 }), [{ path: ".a", type: "added", to: 1 }]],
    ["an object that goes", object({ a: 1 }), undefined, [{ path: ".a", type: "removed", from: 1 }]],
  ];
  it.each(rows)("finds %s", (...[, from, to, changes]) => {
    expect(diffObjects(from, to)).toEqual(changes);
  });

  it("finds nothing between equal objects, and turns around with its arguments", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        const [left, right] = [object({ spec: a }), object({ spec: b })];
        expect(diffObjects(left, structuredClone(left))).toEqual([]);
        const turned = diffObjects(right, left).map(({ path, type }) => [path, type]);
        const opposite = { added: "removed", removed: "added", changed: "changed" } as const;
        expect(turned).toEqual(diffObjects(left, right).map(({ path, type }) => [path, opposite[type]]));
      }),
      { seed: 20261121, numRuns: 200 },
    );
  });
});
