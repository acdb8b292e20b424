import { describe, expect, it } from "@jest/globals";
import { areQuicklyRead, collectItemExports } from "./collect-exports-task.ts";
import type { ItemExport } from "./render-task.ts";

function exportOf(text: string): ItemExport {
  return { item: "item", secret: "item-export", text: Buffer.from(text, "utf8").toString("base64") };
}

/** Texts of the longest form that is read at once. */
const longest = 12 * 1024;
const fill = (begin: string, unit: string, end: string): string =>
  begin + unit.repeat((longest - begin.length - end.length) / unit.length) + end;

describe("exports that are read without a thread", () => {
  it.each([
    ["no exports", [], true],
    ["short JSON", [exportOf('{"a":1}')], true],
    ["the longest JSON", [exportOf(fill('"', "x", '"'))], true],
    ["JSON that is too long", [exportOf(`${fill('"', "x", '"')}   `)], false],
    ["short texts that are too long together", [exportOf(fill('"', "x", '"')), exportOf("1")], false],
    ["YAML", [exportOf("a: 1")], false],
  ])("%s", (_, exports, want) => {
    expect(areQuicklyRead(exports)).toBe(want);
  });
});

it("names the export Secret that holds neither JSON nor YAML", () => {
  expect(() => collectItemExports([exportOf("a: [")], () => undefined)).toThrow(
    expect.objectContaining({
      reason: "CollectExports",
      message: 'deploy item "item": export Secret "item-export": expected JSON or YAML under key "config"',
    }),
  );
});

it.each([
  ["nested lists", fill("", "[", ""), "too deep"],
  ["empty lists", fill("[[]", ",[]", "]"), "read"],
  ["numbers", fill("[0", ",1e9", "]"), "read"],
  ["keys", `{${Array.from({ length: 1200 }, (_, index) => `"k${index}":0`).join(",")}}`, "read"],
])("%s take at most 20 ms of processor time", (_, begin, want) => {
  const text = want === "read" ? begin : begin.slice(0, longest / 2) + "]".repeat(longest / 2);
  const exports = [exportOf(text)];
  const read = (): string => {
    if (!areQuicklyRead(exports)) return "left to a thread";
    try {
      collectItemExports(exports, () => undefined);
      return "read";
    } catch {
      return "too deep";
    }
  };
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    expect(read()).toBe(want);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  // Other threads of this process count as well, but not each time.
  expect(Math.min(...times)).toBeLessThan(20);
});
