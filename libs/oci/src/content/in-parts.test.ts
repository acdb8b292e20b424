import { describe, expect, it } from "@jest/globals";
import { inParts } from "./in-parts.ts";

async function* streamOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe("inParts", () => {
  it.each<[string, string[], [string, boolean][]]>([
    ["nothing", [], [["", true]]],
    ["less than a part", ["ab", "c"], [["abc", true]]],
    ["a part", ["abcd"], [["abcd", true]]],
    [
      "one byte more",
      ["ab", "cde"],
      [
        ["abcd", false],
        ["e", false],
      ],
    ],
    [
      "more than a part at once",
      ["abcdefghi"],
      [
        ["abcd", false],
        ["efgh", false],
        ["i", false],
      ],
    ],
  ])("cuts %s", async (_, texts, expected) => {
    const found: [string, boolean][] = [];
    for await (const { bytes, isOnly } of inParts(streamOf(...texts), 4)) {
      found.push([Buffer.from(bytes).toString(), isOnly]);
    }
    expect(found).toEqual(expected);
  });
});
