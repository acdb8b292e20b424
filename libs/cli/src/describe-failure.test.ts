import { expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { createForeignErrors } from "@landscaper/testkit";
import { describeFailure } from "./describe-failure.ts";
import { UsageError } from "./usage-error.ts";

const long = "k".repeat(100_000);

it.each<[string, Error, string]>([
  ["a usage error", new UsageError(long), ""],
  [
    "an error with a hint",
    new LandscaperError({ message: long, reason: "InvalidInput", hint: "Correct it." }),
    "Correct it.\n",
  ],
])("shows 32,768 characters of the message of %s", (...[, error, hint]) => {
  expect(describeFailure(error)).toBe(`error: ${"k".repeat(32_768)}...\n${hint}`);
});

it.each(createForeignErrors())("prints $name of $library without its text", ({ library, name, error }) => {
  const text = describeFailure(error);
  expect(text).not.toMatch(/words of a library|hunter2/);
  const wanted =
    library === "fs"
      ? /^error: cannot open \/data\/values\.yaml: .+\n[A-Z].+\.\n$/
      : new RegExp(
          `^error: internal error of the command \\(${library === "yaml" ? "BAD_INDENT" : name}\\)\\. Report it`,
        );
  expect(text).toMatch(wanted);
});

it("prints the places of a defect", () => {
  expect(describeFailure(new TypeError("x is not a function"))).toMatch(
    /^error: internal error of the command \(TypeError\)\. Report it with these lines:\n {4}at .*describe-failure\.test\.ts/,
  );
});
