import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { UsageError } from "../usage-error.ts";
import { parseDocuments } from "./parse-documents.ts";
import { parseRenderImports } from "./parse-render-imports.ts";
import { readFolder } from "./read-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-render-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("parseDocuments", () => {
  it.each(["1.1", "1.2"] as const)("reads dates without quotes as texts in YAML %s", (version) => {
    const [document] = parseDocuments("day: 2026-01-02\ntime: 2026-01-02T03:04:05Z\n", "file", version);
    expect(document?.value).toEqual({ day: "2026-01-02", time: "2026-01-02T03:04:05Z" });
  });

  it.each(["timestamp 2026-01-02", "binary aGk=", "set {a}", "omap [a: 1]", "pairs [a: 1]"])(
    "refuses the tag !!%s",
    (text) => {
      for (const version of ["1.1", "1.2"] as const) {
        expect(() => parseDocuments(`a: 1\nb: !!${text}\n`, "file", version)).toThrow(
          `file: line 2: expected JSON data, found the YAML tag !!${text.split(" ")[0]}. Remove the tag`,
        );
      }
    },
  );

  it.each([
    ["a:\n\t- b: c", "line 2, column 1: expected YAML: a tab is used as indentation; indent with spaces"],
    ["a: @hunter2", "line 1, column 4: expected YAML: a character cannot start a value; quote the value"],
  ])("explains %j with line and column, without the words of the parser", (text, problem) => {
    expect(() => parseDocuments(text, "file")).toThrow(new UsageError(`file: ${problem}`));
  });

  const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const bomb = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`).join("");
  const tooDeep =
    "lists and maps are nested more than 400 levels deep, or contain themselves by an alias. Nest fewer levels";
  it.each([
    ["lists in 20,000 levels", `a: 1\nb: ${nested(20_000)}`, `file: line 2: ${tooDeep}`],
    ["lists in 400 levels below a map", `a: ${nested(400)}`, `file: ${tooDeep}`],
    ["a list that contains itself", "&a [*a]", `file: ${tooDeep}`],
    ["a second document with a map that contains itself", "a: 1\n---\n&a { b: *a }", `file, document 2: ${tooDeep}`],
    [
      "aliases that expand to 10^9 values",
      `a0: &a0 [1]\n${bomb}`,
      "file: the YAML aliases expand to too many values. Use fewer aliases of aliases",
    ],
    [
      "a number that is not finite",
      "a: [{ b: 1 }, { b: .nan }]",
      "file: a[1].b: expected JSON data, found NaN or an infinite number. Put it in quotes.",
    ],
    [
      "a number beyond float64",
      "1e400",
      "file: expected JSON data, found NaN or an infinite number. Put it in quotes.",
    ],
    [
      "an alias without an anchor",
      "a: 1\nb: *b\nc: &b 1",
      "file: line 2: the alias *b has no anchor &b before it. Add the anchor, or put the text in quotes.",
    ],
  ])("refuses %s", (...[, text, message]) => {
    expect(() => parseDocuments(text, "file")).toThrow(new UsageError(message));
  });

  it("reads aliases, and lists in 399 levels below a map", () => {
    expect(parseDocuments("a: &a { b: 1 }\nc: [*a, *a]", "file")).toMatchObject([
      { value: { c: [{ b: 1 }, { b: 1 }] } },
    ]);
    expect(parseDocuments(`a: ${nested(399)}`, "file")).toHaveLength(1);
  });

  it("keeps every digit of integers of 64 bits, and reads others as numbers", () => {
    const [document] = parseDocuments("a: 9007199254740993\nb: [9223372036854775807, 5, 010, 1.5]\n", "file");
    expect(document?.value).toEqual({ a: 9_007_199_254_740_993n, b: [9_223_372_036_854_775_807n, 5, 8, 1.5] });
  });
});

describe("parseRenderImports", () => {
  it("tells data, one target, lists and maps of targets apart", () => {
    const cluster = { type: "example.org/cluster", config: { a: 1 } };
    const input = {
      data: { greeting: "hello", nothing: null },
      targets: { one: cluster, list: [cluster], map: { blue: cluster } },
      mappings: { greeting: "constant" },
    };
    const { given, mappings } = parseRenderImports(input);
    expect(mappings).toEqual({ greeting: "constant" });
    expect(given["greeting"]).toEqual({ type: "data", value: "hello" });
    expect(given["nothing"]).toEqual({ type: "data", value: null });
    expect(given["one"]).toMatchObject({
      type: "target",
      target: { spec: cluster, metadata: { name: "targets.one" } },
    });
    expect(given["list"]).toMatchObject({ type: "targetList", targets: [{ spec: cluster }] });
    expect(given["map"]).toMatchObject({ type: "targetMap", targets: { blue: { spec: cluster } } });
  });

  it.each([
    ["no map", "text", "expected a map with data, targets and mappings"],
    ["an unknown field", { values: {} }, "values: expected data, targets or mappings"],
    ["data that is no map", { data: [] }, "data: expected a map by import name"],
    ["a target without type", { targets: { a: [{}] } }, "targets.a[0]: expected a target with a type"],
    ["a target that is text", { targets: { a: "x" } }, "targets.a: expected a target, a list or a map of targets"],
  ])("refuses %s", (...[_name, input, message]) => {
    expect(() => parseRenderImports(input)).toThrow(new UsageError(message));
  });

  it("takes nothing as no imports", () => {
    expect(parseRenderImports(null)).toEqual({ given: {}, mappings: {} });
  });
});

describe("readFolder", () => {
  it("reads files and folders, and leaves links alone", () => {
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "sub/a.txt"), "a");
    symlinkSync("/etc", join(folder, "link"));
    expect(readFolder(folder)).toEqual({ sub: { "a.txt": Buffer.from("a") } });
  });

  it("says what is wrong with the path", () => {
    const missing = join(folder, "missing");
    expect(() => readFolder(missing)).toThrow(new UsageError(`${missing}: there is no such folder`));
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(() => readFolder(file)).toThrow(new UsageError(`${file}: expected the folder of a blueprint, found a file`));
  });
});
