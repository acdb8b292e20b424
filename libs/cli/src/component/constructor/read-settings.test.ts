import { describe, expect, it } from "@jest/globals";
import { UsageError } from "../../usage-error.ts";
import { joinSettings, settingText } from "./read-settings.ts";

const read = (text: string) => joinSettings({ environment: undefined, files: [{ name: "f", text }], words: [] });

describe("the variables of a constructor file", () => {
  it.each<[string, object]>([
    ["A: x\nb: {c: [1]}\n", { A: "x", b: { c: [1] } }],
    ["", {}],
    ['"n": x\n', { n: "x" }],
    ["id: 9007199254740993", { id: 9007199254740993n }],
    ["# comment\nexport A=x=y\n\nB='quoted text'\nC=\"\"\n", { A: "x=y", B: "quoted text", C: "" }],
  ])("are read of %j", (text, want) => {
    expect(read(text)).toEqual(want);
  });

  it.each([
    ["- a", "--settings: f: expected a map of variables as YAML, or lines NAME=VALUE"],
    [
      "# comment\nA=b\n\nsecret\nC=d",
      /^--settings: f: line 4: expected NAME=VALUE, as in line 2, found another line\. Correct it, or write the whole file as a YAML map$/,
    ],
    ["bad\nA=b\n", /^--settings: f: line 1: expected NAME=VALUE, as in line 2, found another line/],
    ["A=b\nc: d", /^--settings: f: line 2: expected NAME=VALUE/],
    [
      "n: x",
      /^--settings: f: expected names of variables, found false\. YAML reads the keys y, n, .* as booleans: put a key in quotes\. A variable cannot be named false$/,
    ],
    ["a: [", /^--settings: f: line \d: /],
  ])("are not read of %j", (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(UsageError);
  });

  it("come from words before files, and from these before the environment", () => {
    const files = ["A: file\nB: file", "B: second"].map((text, at) => ({ name: `f${at}`, text }));
    const environment = { A: "env", B: "env", C: "env", D: "env", E: undefined };
    expect(joinSettings({ environment, files, words: ["C=word=1", "C=last"] })).toEqual({
      A: "file",
      B: "second",
      C: "last",
      D: "env",
    });
    expect(() => joinSettings({ environment, files, words: ["file.yaml"] })).toThrow(
      'expected NAME=VALUE, found "file.yaml"; to pass the constructor file, use --constructor file.yaml',
    );
  });

  it.each<[unknown, string | undefined]>([
    ["text", "text"],
    [1.5, "1.5"],
    [9007199254740993n, "9007199254740993"],
    [true, "true"],
    [{ b: [1], a: "x" }, '{"a":"x","b":[1]}'],
    [null, undefined],
    [undefined, undefined],
  ])("with the value %j are %j as text", (value, text) => {
    expect(settingText({ name: value }, "name")).toBe(text);
    expect(settingText({}, "toString")).toBeUndefined();
  });
});
