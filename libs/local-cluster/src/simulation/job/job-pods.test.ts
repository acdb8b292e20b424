import { describe, expect, it } from "@jest/globals";
import { formatIndexes, parseIndexes } from "./job-pods.ts";

const rows: readonly (readonly [text: string, indexes: readonly number[]])[] = [
  ["", []],
  ["0", [0]],
  ["0,1", [0, 1]],
  ["0-2", [0, 1, 2]],
  ["1,3-5,7,8", [1, 3, 4, 5, 7, 8]],
];

describe("completed indexes", () => {
  it.each(rows)('writes and reads "%s"', (text, indexes) => {
    expect(formatIndexes(indexes)).toBe(text);
    expect(parseIndexes(text)).toEqual(indexes);
  });

  it("counts an index once, in any order", () => {
    expect(formatIndexes([5, 3, 4, 3])).toBe("3-5");
  });
});
