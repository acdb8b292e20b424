import { expect, it } from "@jest/globals";
import { maskedPaths } from "./masked-paths.ts";

it.each([
  ["nothing where nothing is masked", { a: ["b", 1, null] }, { a: ["b", 1, null] }, []],
  ["texts", { a: ["b", { "c/d": "e" }], f: "g" }, { a: ["[...]", { "c/d": "[...]" }], f: "g" }, ["/a/0", "/a/1/c~1d"]],
  ["maps with masked keys", { a: { b: 1, c: 2 } }, { a: { b: 1, "[...]": 2 } }, ["/a"]],
  ["the whole", "a", "[...]", [""]],
])("finds %s", (...[, value, masked, want]) => {
  expect(maskedPaths(value, masked)).toEqual(want);
});
