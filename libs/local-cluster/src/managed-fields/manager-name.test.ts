import { describe, expect, it } from "@jest/globals";
import { isPrintable, managerOf } from "./manager-name.ts";

describe("managerOf", () => {
  const cases: readonly (readonly [manager: string, agent: string | undefined, want: string])[] = [
    ["named", "kubectl/v1.34", "named"],
    ["", "kubectl/v1.34 (linux)", "kubectl"],
    ["", "two words/1", "two words"],
    ["", "a\u0000b\tc", "abc"],
    ["", "", "unknown"],
    ["", "/1", "unknown"],
    ["", undefined, "unknown"],
    ["", "ü".repeat(100), "ü".repeat(64)],
  ];
  it.each(cases)("of manager %j and agent %j is %j", (manager, agent, want) => {
    expect(managerOf(manager, agent)).toBe(want);
    expect(managerOf(manager, agent)).toBe(want);
  });

  it("knows what can be printed", () => {
    expect(["a", " ", "é", "✓", "\u0000", "\n", "\u00a0", "\u200b"].map(isPrintable)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
