import { describe, expect, it } from "@jest/globals";
import type { Condition } from "../schema/schema-fields.ts";
import {
  fieldValidationOf,
  findNewWarnings,
  hasWarnings,
  judgeWarnings,
  setWarnings,
  warnOfIgnoredFields,
  type Warning,
} from "./warnings.ts";

const annotation = "landscaper.gardener.cloud/field-validation";
const unknown = warnOfIgnoredFields("file", [{ path: "a" }]);
const other: Warning = { reason: "WithoutEffect", message: "b has no effect" };

describe("the field validation of an object", () => {
  it.each([
    [{}, "Warn", { fieldValidation: "Warn", warnings: [] }],
    [{ annotations: { [annotation]: "Strict" } }, "Ignore", { fieldValidation: "Strict", warnings: [] }],
    [
      { annotations: { [annotation]: "strict" } },
      "Ignore",
      {
        fieldValidation: "Ignore",
        warnings: [
          {
            reason: "InvalidAnnotation",
            message: `annotation ${annotation}: expected Ignore, Warn, Strict, found "strict"`,
          },
        ],
      },
    ],
  ] as const)("of %j where %s is configured", (metadata, configured, expected) => {
    expect(fieldValidationOf(metadata, configured)).toEqual(expected);
  });
});

describe("warnings", () => {
  it.each([
    ["Ignore", [other]],
    ["Warn", [...unknown, other]],
  ] as const)("are judged by %s", (fieldValidation, expected) => {
    expect(judgeWarnings([...unknown, other], fieldValidation)).toEqual(expected);
  });

  it("of unknown fields are errors where they are refused, others are not", () => {
    expect(judgeWarnings([other], "Strict")).toEqual([other]);
    expect(() => judgeWarnings([...unknown, other], "Strict")).toThrow(
      expect.objectContaining({ message: 'file: unknown field "a"', reason: "UnknownFields", retry: "never" }),
    );
  });

  it.each(["NestedList", "DuplicateObject", "FurtherDocument", "RepeatedKey"])(
    "with the reason %s are errors where they are refused",
    (reason) => {
      const warning = { reason, message: "manifests[0]: twice" };
      expect(judgeWarnings([warning], "Ignore")).toEqual([warning]);
      expect(() => judgeWarnings([warning, other], "Strict")).toThrow(
        expect.objectContaining({ message: "manifests[0]: twice", reason: "StrictValidation", retry: "never" }),
      );
    },
  );

  it("stand in one condition, which goes with them", () => {
    const now = new Date(0);
    const listed = setWarnings([], [...unknown, ...unknown, other], now);
    expect(listed).toEqual([
      expect.objectContaining({
        type: "Warnings",
        status: "True",
        reason: "Warnings",
        message: 'file: unknown field "a"; b has no effect',
      }),
    ]);
    expect(setWarnings(listed, [...unknown, other], new Date(1))).toBe(listed);
    expect(setWarnings(listed, unknown, now)).toEqual([expect.objectContaining({ reason: "UnknownField" })]);
    expect(setWarnings(listed, [], now)).toEqual([]);
    const many = Array.from({ length: 12 }, (_, index) => ({ reason: "R", message: `m${index}` }));
    expect(setWarnings([], many, now)[0]?.message).toMatch(/m9; and 2 more$/);
  });

  it("are news when the condition before has said something else", () => {
    const now = new Date(0);
    const first: readonly Condition[] = setWarnings([], unknown, now);
    expect(findNewWarnings(first, undefined)).toEqual({ reason: "UnknownField", message: 'file: unknown field "a"' });
    expect(findNewWarnings(first, first)).toBeUndefined();
    expect(findNewWarnings([], first)).toBeUndefined();
    expect(hasWarnings(setWarnings([], [...unknown, other], now), [other])).toBe(true);
    expect(hasWarnings(first, [other])).toBe(false);
    expect(hasWarnings([], [])).toBe(true);
  });
});
