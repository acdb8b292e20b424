import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mergeDurations, readDurations } from "./durations.mjs";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "durations-"));
  file = join(folder, "cache/durations.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("durations of test files", () => {
  it("are added to those of earlier runs", () => {
    mergeDurations(file, { "a.test.ts": 1, "b.test.ts": 2 });
    mergeDurations(file, { "b.test.ts": 3 });
    expect(readDurations(file)).toEqual({ "a.test.ts": 1, "b.test.ts": 3 });
    expect(readdirSync(join(folder, "cache"))).toEqual(["durations.json"]);
  });

  it.each(["", '{"a.test.ts":1', "null", "[1]", '"text"'])("are empty for the damaged file %j", (text) => {
    mergeDurations(file, {});
    writeFileSync(file, text);
    expect(readDurations(file)).toEqual({});
    mergeDurations(file, { "a.test.ts": 1 });
    expect(readDurations(file)).toEqual({ "a.test.ts": 1 });
  });

  it("must be numbers", () => {
    mergeDurations(file, {});
    writeFileSync(file, '{"a.test.ts":"1","b.test.ts":null,"c.test.ts":2}');
    expect(readDurations(file)).toEqual({ "c.test.ts": 2 });
  });
});
