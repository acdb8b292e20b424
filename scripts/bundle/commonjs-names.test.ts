import { describe, expect, it } from "@jest/globals";
import { commonjsNames, dropUnusedNames } from "./commonjs-names.ts";

describe("dropUnusedNames", () => {
  it.each([
    ["empties the lines that define unused names", "var require_fs = __require2(x);\n", false],
    ["keeps them for a call of require", 'var x = require("./x.cjs");\n', true],
    ["keeps them for the folder of the file", "join2(__dirname);\n", true],
  ])("%s", (_title, code, isKept) => {
    const text = `${commonjsNames}\n${code}`;
    expect(dropUnusedNames(text)).toEqual(isKept ? text : `\n\n${code}`);
  });

  it("does not change other files", () => expect(dropUnusedNames('{"version":3}')).toEqual('{"version":3}'));
});
