import { describe, expect, it } from "@jest/globals";
import { maskDifferences } from "./mask-differences.ts";

describe("maskDifferences", () => {
  it.each([
    ["nothing where nothing differs", "a foo error occurred", "a foo error occurred", "a foo error occurred"],
    ["a word", "a foo error occurred", "a sbb error occurred", "a [...] error occurred"],
    ["a word in quotes", 'no import "foo"', 'no import "sbb"', 'no import "[...]"'],
    ["words with marks between them", "got a-b/c+d, no", "got n-o/p+q, no", "got [...], no"],
    ["texts with a quote between them", 'got a"b, no', 'got n"o, no', 'got [...]"[...], no'],
    ["padding", "got YWI== here, a=b", "got bm8== here, a=b", "got [...] here, a=b"],
    ["several texts", '"ab", "cd" and ef', '"no", "pq" and rs', '"[...]", "[...]" and [...]'],
    ["what has another number of words", "got [a b c] here", "got [x] here", "got [[...]] here"],
    ["all where no word is the same", "a", "b c", "[...]"],
  ])("masks %s", (_, ...[message, other, want]) => {
    expect(maskDifferences(message, other)).toBe(want);
  });

  it("keeps the end of a long message, as a status does", () => {
    const masked = maskDifferences(`${"x ".repeat(100_000)}secret`, `${"x ".repeat(100_000)}frperg`);
    expect(masked).toHaveLength(16_384 - "secret".length + "[...]".length);
    expect(masked.endsWith("x [...]")).toBe(true);
  });
});
