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
