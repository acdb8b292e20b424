import { describe, expect, it } from "@jest/globals";
import { unusedMark } from "./unused-mark.ts";

describe("unusedMark", () => {
  it.each<[texts: readonly string[], mark: string]>([
    [[], "m"],
    [["abc", ""], "m"],
    [["m"], "m0-"],
    [["m0-"], "m1-"],
    [["m0", "0-"], "m0-"],
    [["m1-m0-m00-", "m2-x"], "m3-"],
  ])("returns a mark that %j does not contain", (texts, mark) => {
    expect(unusedMark("m", texts)).toBe(mark);
  });

  it("returns a short mark for texts that repeat its start", () => {
    expect(unusedMark("m", ["m".repeat(1_000_000)])).toBe("m0-");
    const marks = Array.from({ length: 100_000 }, (_, number) => `m${number}-`).join("");
    expect(unusedMark("m", [marks])).toBe("m100000-");
  });
});
