import { describe, expect, it } from "@jest/globals";
import { parseFuzzOptions, type FuzzArguments } from "../../src/fuzz/fuzz-options.ts";

const targets = { gotemplate: ["templates"], spiff: ["documents", "YAML output"] };
const typed: FuzzArguments = { positionals: ["spiff"], minutes: "5", cases: "0" };

describe("parseFuzzOptions", () => {
  it.each<[string, Partial<FuzzArguments>, object]>([
    ["the defaults", {}, { language: "spiff", minutes: 5, cases: 0, seed: undefined }],
    [
      "all flags",
      { only: "YAML output", minutes: "0.5", cases: "300", seed: "42" },
      { language: "spiff", minutes: 0.5, cases: 300, seed: 42 },
    ],
  ])("takes %s", (_title, change, options) => {
    expect(parseFuzzOptions({ ...typed, ...change }, targets)).toEqual(options);
  });

  it.each<[string, Partial<FuzzArguments>, string]>([
    [
      "an unknown language",
      { positionals: ["gotemplte"] },
      'language: expected one of gotemplate, spiff, found "gotemplte"',
    ],
    ["a missing language", { positionals: [] }, "language: expected one of gotemplate, spiff, found nothing"],
    [
      "two languages",
      { positionals: ["spiff", "helm"] },
      'language: expected one of gotemplate, spiff, found "spiff helm"',
    ],
    [
      "a member of every object",
      { positionals: ["constructor"] },
      'language: expected one of gotemplate, spiff, found "constructor"',
    ],
    [
      "a target of another language",
      { only: "templates" },
      '--only: expected one of "documents", "YAML output", found "templates"',
    ],
    ["words for minutes", { minutes: "x" }, '--minutes: expected a positive number, found "x"'],
    ["no minutes", { minutes: "0" }, '--minutes: expected a positive number, found "0"'],
    ["negative cases", { cases: "-1" }, '--cases: expected a whole number, found "-1"'],
    ["a seed with a fraction", { seed: "1.5" }, '--seed: expected a whole number of at most 15 digits, found "1.5"'],
    [
      "several",
      { positionals: ["helm"], minutes: "x" },
      'language: expected one of gotemplate, spiff, found "helm"\n--minutes: expected a positive number, found "x"',
    ],
  ])("refuses %s", (_title, change, message) => {
    expect(() => parseFuzzOptions({ ...typed, ...change }, targets)).toThrow(new Error(message));
  });
});
