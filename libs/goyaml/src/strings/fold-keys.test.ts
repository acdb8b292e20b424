import { describe, expect, it } from "@jest/globals";
import { foldEach, foldKeys } from "./fold-keys.ts";

describe("foldKeys", () => {
  const names = ["deployItems", "name"];
  it.each<[unknown, unknown]>([
    [
      { deployitems: 1, NAME: 2 },
      { deployItems: 1, name: 2 },
    ],
    [{ deployItems: 1, deployitems: 2 }, { deployItems: 1 }],
    [{ deployitems: 2, deployItems: 1 }, { deployItems: 1 }],
    [{ Other: 1 }, { Other: 1 }],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
    [["name"], ["name"]],
    [null, null],
    ["text", "text"],
  ])("of %j gives %j", (value, want) => {
    expect(foldKeys(value, names)).toEqual(want);
  });

  it("is done for each item of a list, and only of a list", () => {
    const fold = (item: unknown): unknown => foldKeys(item, names);
    expect(foldEach([{ Name: 1 }, 2], fold)).toEqual([{ name: 1 }, 2]);
    expect(foldEach({ Name: 1 }, fold)).toEqual({ Name: 1 });
  });
});
