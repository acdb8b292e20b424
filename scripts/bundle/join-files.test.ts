import { describe, expect, it } from "@jest/globals";
import { joinFiles } from "./join-files.ts";

interface Case {
  readonly loads: Readonly<Record<string, readonly string[]>>;
  /** Default: 1000 each. */
  readonly sizes?: Readonly<Record<string, number>>;
  readonly imports?: Readonly<Record<string, readonly string[]>>;
  readonly fixed?: readonly string[];
  readonly lean?: readonly string[];
}

function join({ loads, sizes = {}, imports = {}, fixed = [], lean = [] }: Case): unknown {
  const joined = joinFiles({
    loads: new Map(Object.entries(loads).map(([entry, files]) => [entry, new Set(files)])),
    fixed: new Set(fixed),
    lean: new Set(lean),
    sizeOf: (file) => sizes[file] ?? 1000,
    importsOf: (file) => imports[file] ?? [],
  });
  return Object.fromEntries([...joined].map(([entry, files]) => [entry, [...files].toSorted()]));
}

describe("joinFiles", () => {
  it("joins small files that most entries load", () => {
    const loads = { tree: ["a", "b"], why: ["a", "b"], logs: ["a"] };
    expect(join({ loads })).toEqual({ tree: ["a", "b"], why: ["a", "b"], logs: ["a", "b"] });
  });

  it.each<[reason: string, difference: Partial<Case>]>([
    ["if the unused code takes longer to load than the file", { sizes: { b: 45_000 } }],
    ["if an entry must not load further files", { fixed: ["logs"] }],
    ["if an entry must load only what it uses", { lean: ["logs"] }],
    ["if the file imports another one that the entry does not load", { imports: { b: ["c"] }, sizes: { c: 70_000 } }],
  ])("keeps files apart %s", (_reason, difference) => {
    const loads = { tree: ["a", "b", "c"], why: ["a", "b", "c"], logs: ["a"] };
    expect(join({ loads, sizes: { c: 70_000 }, ...difference })).toMatchObject({ logs: ["a"] });
  });

  it("lets no entry load more than 60 kB of unused code", () => {
    const many = Array.from({ length: 8 }, (_, index) => `command-${index}`);
    const shared = Object.fromEntries(many.map((name) => [name, ["a", "b", "c"]]));
    const loads = { ...shared, "command-0": ["a", "b"], logs: ["a"] };
    expect(join({ loads, sizes: { b: 40_000, c: 40_000 } })).toMatchObject({ logs: ["a", "b"] });
  });

  it("does not join files without a common entry", () => {
    const loads = { tree: ["a"], why: ["b"] };
    expect(join({ loads })).toEqual({ tree: ["a"], why: ["b"] });
  });
});
