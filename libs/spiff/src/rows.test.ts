import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { lookFunctions } from "./evaluate/calls/look-functions.ts";
import { createFunctions } from "./functions/create-functions.ts";
import { goldenFiles, readCases, type GoldenCase } from "../test/oracle.ts";

/** The rows of the language's tables, by table. */
const tables = JSON.parse(readFileSync(join(import.meta.dirname, "..", "testdata", "rows.json"), "utf8")) as Record<
  string,
  string[]
>;
const rows = Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${table}/${name}`));
const functions = [...new Set([...createFunctions({}).keys(), ...lookFunctions.keys()])];
const cases = goldenFiles().flatMap(readCases);
const enough = 3;

function callsIn({ template, stubs }: GoldenCase): Set<string> {
  const text = [template.replace(/^[\s\S]*\nRES: /, ""), ...stubs].join("\n");
  return new Set([...text.matchAll(/([A-Za-z_][A-Za-z0-9_]*)\*?\(/g)].map(([, name = ""]) => name));
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

describe("golden cases", () => {
  it("stand below rows that exist", () => {
    const used = new Set(cases.map(({ row }) => row).filter((row) => row !== ""));
    expect([...used].filter((row) => !rows.includes(row))).toEqual([]);
  });

  it(`are at least ${enough} for every row of the language's tables`, () => {
    const counts = countBy(cases.map(({ row }) => row));
    expect(rows.filter((row) => (counts.get(row) ?? 0) < enough)).toEqual([]);
  });

  it(`are at least ${enough} for every function`, () => {
    const counts = countBy(cases.flatMap((item) => [...callsIn(item)]));
    expect(functions.filter((name) => (counts.get(name) ?? 0) < enough)).toEqual([]);
  });
});
