import { describe, expect, it } from "@jest/globals";
import { startPathBudget } from "@landscaper/jsonpath";
import { collectValues } from "./collect-exports.ts";
import { ExportedValues } from "./exported-values.ts";

type Entry = readonly [key: string, value: unknown];

function merged(...entries: readonly Entry[]): unknown {
  const exported = new ExportedValues();
  const budget = startPathBudget();
  for (const [key, value] of entries) exported.add(key, value, budget);
  return exported.values;
}

describe("exported values", () => {
  const rows: readonly (readonly [name: string, entries: readonly Entry[], want: unknown])[] = [
    [
      "nest dotted keys",
      [
        ["a.b.c", 1],
        ["a.d", 2],
        ["e", 3],
      ],
      { a: { b: { c: 1 }, d: 2 }, e: 3 },
    ],
    [
      "merge maps of the same key",
      [
        ["a", { x: 1, y: { z: 2 } }],
        ["a", { y: { w: 3 } }],
      ],
      { a: { x: 1, y: { z: 2, w: 3 } } },
    ],
    [
      "add to an exported map",
      [
        ["a", { x: 1 }],
        ["a.y", 2],
      ],
      { a: { x: 1, y: 2 } },
    ],
    [
      "replace what is no map",
      [
        ["a", { x: 1 }],
        ["a", [1]],
        ["a.b", 2],
      ],
      { a: { b: 2 } },
    ],
  ];
  it.each(rows)("%s", (_, entries, want) => {
    expect(merged(...entries)).toEqual(want);
  });

  it("keep keys such as __proto__ as data", () => {
    expect(JSON.stringify(merged(["__proto__.a", 1], ["b", 2]))).toBe('{"__proto__":{"a":1},"b":2}');
  });

  it("leave what was exported as it is", () => {
    const live = { x: { y: 1 } };
    expect(merged(["a", live], ["a", { x: { z: 2 } }], ["a.x.w", 3])).toEqual({ a: { x: { y: 1, z: 2, w: 3 } } });
    expect(live).toEqual({ x: { y: 1 } });
  });

  it("refuse a key of too many steps", () => {
    expect(() => merged(["a.".repeat(100) + "b", 1])).toThrow("export key of 101 steps: expected at most 100");
  });

  it("are not merged without end", () => {
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]));
    const same = Array.from({ length: 200 }, (): Entry => ["a", wide]);
    expect(() => merged(...same)).toThrow(
      "export of key a: more than 100000 fields are merged by exports of the same key",
    );
  });

  it("are many: each field is set once", () => {
    let sets = 0;
    const defineProperty = Object.defineProperty.bind(Object);
    const entries = Array.from({ length: 500 }, (_, index) => ({ key: `k${index}`, jsonPath: ".a" }));
    Object.defineProperty = ((...args: Parameters<typeof defineProperty>) => {
      sets++;
      return defineProperty(...args);
    }) as typeof Object.defineProperty;
    try {
      collectValues(entries, { a: 1 });
    } finally {
      Object.defineProperty = defineProperty;
    }
    expect(sets).toBe(500);
  });
});

describe("exports out of data that is at hand", () => {
  it("fail at a path where there is nothing", () => {
    const collect = (): unknown => collectValues([{ key: "a", jsonPath: ".image.tag" }], { image: {} });
    const message = "export of key a: there is nothing at its jsonPath";
    expect(collect).toThrow(expect.objectContaining({ message, reason: "ExportMissing", retry: "never" }));
    expect(collectValues([{ key: "a", jsonPath: ".image.tag" }], { image: { tag: "1" } })).toEqual({ a: "1" });
  });
});
