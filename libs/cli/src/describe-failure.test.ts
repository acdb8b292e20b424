import { expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
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
