import { describe, expect, it } from "@jest/globals";
import { parseByteQuantity } from "./byte-quantity.ts";

describe("a quantity of bytes", () => {
  it.each<[string | number, number]>([
    [1000, 1000],
    ["1000", 1000],
    ["250Mi", 250 * 1024 * 1024],
    ["1.5Gi", 1.5 * 1024 ** 3],
    ["2k", 2000],
    ["1e9", 1e9],
  ])("%j is %d", (value, bytes) => {
    expect(parseByteQuantity(value, "size")).toBe(bytes);
  });

  it.each([0, -1, "", "Mi", "5 Mi", "5m", "5mi", "1e40", "9Ti9"])("is not %j", (value) => {
    expect(() => parseByteQuantity(value, "file: blueprintStore.size")).toThrow(
      new Error(
        `file: blueprintStore.size: expected a quantity of bytes such as 250Mi, found ${JSON.stringify(value)}`,
      ),
    );
  });
});
