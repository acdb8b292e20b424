import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { applyEdit, listMutants } from "./operators.ts";
import { openSources } from "./typed-sources.ts";

const cases: readonly (readonly [code: string, mutated: readonly string[]])[] = [
  ["use(a < b);", ["use(a <= b);", "use(a >= b);"]],
  ["use(a <= b);", ["use(a < b);", "use(a > b);"]],
  ["use(a > b);", ["use(a >= b);", "use(a <= b);"]],
  ["use(a >= b);", ["use(a > b);", "use(a < b);"]],
  ["use(a === b);", ["use(a !== b);"]],
  ["use(a !== b);", ["use(a === b);"]],
  ["use(a == b, c != d);", ["use(a != b, c != d);", "use(a == b, c == d);"]],
  ["use(a && b);", ["use(a || b);"]],
  ["use(a || b);", ["use(a && b);"]],
  ["use(a ?? b);", ["use(a && b);"]],
  ["use(a + b);", ["use(a - b);"]],
  ["use(a - b);", ["use(a + b);"]],
  ["use(a * b);", ["use(a / b);"]],
  ["use(a / b);", ["use(a * b);"]],
  ["use(a % b);", ["use(a * b);"]],
  ["a += b;", ["a -= b;"]],
  ["a -= b;", ["a += b;"]],
  ["a *= b;", ["a /= b;"]],
  ["a /= b;", ["a *= b;"]],
  ["a ??= b;", ["a &&= b;"]],
  ["a ||= b;", ["a &&= b;"]],
  ["a &&= b;", ["a ||= b;"]],
  ["a = b & c;", []],
  ["use(-a);", ["use(+a);"]],
  ["use(+a);", ["use(-a);"]],
  ["use(~a);", ["use(a);"]],
  ["use(!a);", ["use(a);"]],
  ["a++;", ["a--;"]],
  ["--a;", ["++a;"]],
  ["use(true);", ["use(false);"]],
  ["use(false);", ["use(true);"]],
  ["if (a) use(b);", ["if (true) use(b);", "if (false) use(b);"]],
  ["if (true) use(b);", ["if (false) use(b);", "if (false) use(b);"]],
  ["use(a ? b : c);", ["use(true ? b : c);", "use(false ? b : c);"]],
  ["while (a) use(b);", ["while (false) use(b);"]],
  ["do use(b); while (a);", ["do use(b); while (false);"]],
  ["for (; a; ) use(b);", ["for (; false; ) use(b);"]],
  ["for (;;) use(b);", []],
  ["function run() { use(a); }", ["function run() {}"]],
  ["function run() {}", []],
  ["try { use(a); } finally { use(b); }", ["try {} finally { use(b); }", "try { use(a); } finally {}"]],
  ["switch (a) { case b: use(c); break; case d: }", ["switch (a) { case b:  case d: }"]],
  ['use("a");', ['use("");']],
  ["use('');", ['use("mutant");']],
  ["use(`a`);", ['use("");']],
  ["use(`a${b}`);", ["use(``);"]],
  ["use(``);", ['use("mutant");']],
  ['"use strict";', []],
  ['use({ "a-b": c });', ["use({});"]],
  ["use({});", []],
  ["use([a, b]);", ["use([]);"]],
  ["use([]);", ['use(["mutant"]);']],
  ["[a, b] = c;", []],
  ["const run = () => a;", ["const run = () => undefined;"]],
  ["const run = () => undefined;", []],
  ["use(a?.b);", ["use(a.b);"]],
  ["use(a?.[b]);", ["use(a[b]);"]],
  ["use(a?.());", ["use(a());"]],
  ["use(a.startsWith(b));", ["use(a.endsWith(b));"]],
  ["use(a.endsWith(b));", ["use(a.startsWith(b));"]],
  ["use(a.some(b));", ["use(a.every(b));"]],
  ["use(a.every(b));", ["use(a.some(b));"]],
  ["use(Math.min(a, b));", ["use(Math.max(a, b));"]],
  ["use(Math.max(a, b));", ["use(Math.min(a, b));"]],
  ["use(a.trimStart(), a.trimEnd());", ["use(a.trimEnd(), a.trimEnd());", "use(a.trimStart(), a.trimStart());"]],
  ["use(a.toUpperCase());", ["use(a.toLowerCase());"]],
  ["use(a.toLowerCase());", ["use(a.toUpperCase());"]],
  ["use(a.indexOf(b));", ["use(a.lastIndexOf(b));"]],
  ["use(a.lastIndexOf(b));", ["use(a.indexOf(b));"]],
  ["use(a.trim());", ["use(a);"]],
  ["use(a.slice(1).b);", ["use(a.b);"]],
  ["use(a.substring(b));", ["use(a);"]],
  ["use(a.charAt(b));", ["use(a);"]],
  ["use(a.filter(b));", ["use(a);"]],
  ["use(a.sort(), a.toSorted());", ["use(a, a.toSorted());", "use(a.sort(), a);"]],
  ["use(a.reverse(), a.toReversed());", ["use(a, a.toReversed());", "use(a.reverse(), a);"]],
  ["use(a.constructor());", []],
  ['import { a } from "b";', []],
  ['export { a } from "b";', []],
  ['export * from "b";', []],
  ['type A = "a" | -1 | true;', []],
  ['interface A { a: "b" }', []],
  ['let a: "b" = c as "d";', []],
];

describe("operators of mutation testing", () => {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-operators-"));
  const paths = cases.map((_, index) => join(folder, `${index}.ts`));
  cases.forEach(([code], index) => writeFileSync(paths[index] ?? "", code));
  const shown = join(folder, "shown.ts");
  const lines = ["// Text.", "export const sum = (a: number): number =>", `  a + ${"a +\n  ".repeat(30)} "é".length;`];
  writeFileSync(shown, lines.join("\n"));
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { target: "ES2023", module: "NodeNext", strict: true, noUnusedParameters: true, types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const sources = openSources(config);
  afterAll(() => {
    sources[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  it.each(cases.map(([code, mutated], index) => [code, mutated, paths[index] ?? ""] as const))(
    "change %j to each of %j",
    (_code, mutated, path) => {
      const source = sources.parse(path);
      expect(listMutants(source).map((mutant) => applyEdit(source.text, mutant))).toEqual(mutated);
    },
  );

  it("name the place, and shorten the changed expression in its middle", () => {
    const source = sources.parse(shown);
    const start = source.text.indexOf("+");
    expect(listMutants(source).find(({ edit }) => edit.start === start)).toEqual({
      edit: { start, end: start + 1, text: "-" },
      line: 3,
      context: "a + a +",
      original: "a + a",
      mutated: "a - a",
    });
    const whole = listMutants(source).find(({ edit }) => edit.text === "undefined");
    const half = "a + ".repeat(10);
    expect(whole?.original).toBe(`${half} … ${'a + a + a + a + a + a + a + a + "é".length'.slice(-40)}`);
  });

  it.each([
    ["(a: number): number => a - 1", true],
    ["(a: number): number => { return 1; }", true],
    ["(a: string): number => a", false],
    ["(a: number): number => a - ", false],
  ])("of which %j compiles: %j", (code, compiles) => {
    expect(sources.compilesWith(shown, `export const sum = ${code};`)).toBe(compiles);
  });

  it("leave the sources as they are", () => {
    expect(sources.parse(shown).text).toBe(lines.join("\n"));
  });

  it("refuse a file that is not part of the project", () => {
    expect(() => sources.parse("/no/such/file.ts")).toThrow(
      `${config}: expected /no/such/file.ts in "include" of this file`,
    );
  });
});
