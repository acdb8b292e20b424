import { describe, expect, it } from "@jest/globals";
import { parseNameFilter } from "./name-filter.ts";
import { targetSync } from "../../test/target-syncs.ts";

const names = ["one.kubeconfig", "two.kubeconfig", "other", "a+b"];

describe("name expressions", () => {
  it.each<[expression: string, expected: readonly string[]]>([
    ["*", names],
    [".*", names],
    ["\\.kubeconfig$", ["one.kubeconfig", "two.kubeconfig"]],
    ["o", ["one.kubeconfig", "two.kubeconfig", "other"]],
    ["^o(ne|ther)", ["one.kubeconfig", "other"]],
    ["(?i)^OTHER$", ["other"]],
    ["\\Aother\\z", ["other"]],
    ["^$", []],
  ])("%s", (expression, expected) => {
    for (const field of ["secretNameExpression", "shootNameExpression"] as const) {
      const filter = parseNameFilter(targetSync({ [field]: expression }).spec);
      expect(filter.mode).toBe(field === "secretNameExpression" ? "secrets" : "shoots");
      expect(names.filter((name) => filter.matches(name))).toEqual(expected);
    }
  });

  it("take nothing when none is given", () => {
    const filter = parseNameFilter(targetSync({ secretNameExpression: "" }).spec);
    expect({ mode: filter.mode, names: names.filter((name) => filter.matches(name)) }).toEqual({
      mode: "none",
      names: [],
    });
  });

  it("are refused when Go would refuse them, or when both are given", () => {
    const parse = (spec: Parameters<typeof targetSync>[0]) => () => parseNameFilter(targetSync(spec).spec);
    expect(parse({ shootNameExpression: "a(?=b)" })).toThrow(
      "spec.shootNameExpression: expected * or a regular expression: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
    );
    expect(parse({ secretNameExpression: "*", shootNameExpression: "*" })).toThrow(
      "spec: expected secretNameExpression or shootNameExpression, found both",
    );
  });
});
