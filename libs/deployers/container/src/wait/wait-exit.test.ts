import { expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { waitExitCode } from "./run-wait.ts";

const errorOf = (reason: string): LandscaperError => new LandscaperError({ message: "m", reason });

it.each([
  ["JobInterrupted", errorOf("JobInterrupted"), 2],
  ["PodVanished", errorOf("PodVanished"), 2],
  ["StateRefused", errorOf("StateRefused"), 1],
  ["another error", new Error("m"), 1],
])("wait ends after %s with its exit code", (_title, error, code) => {
  expect(waitExitCode(error)).toBe(code);
});
