import { formatKey } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { parseKey } from "./parse-key.ts";

describe("parseKey", () => {
  it.each([{ namespace: "n", name: "a.b-c" }, { name: "cluster-scoped" }])("reverses formatKey of %p", (key) => {
    expect(parseKey(formatKey(key))).toEqual(key);
  });
});
