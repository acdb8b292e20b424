import { describe, expect, it } from "@jest/globals";
import { findCleanup } from "./cleanup-flags.ts";

describe("the command cleanup", () => {
  it.each<readonly [string, readonly string[], readonly string[] | undefined]>([
    ["alone", ["cleanup", "--help"], ["--help"]],
    ["after flags of the image's entry point", ["--metrics-port=8080", "cleanup", "--help"], ["--help"]],
    ["missing", ["--metrics-port=8080", "--config=/config.yaml"], undefined],
    ["missing, in an empty command line", [], undefined],
    ["the value of a flag", ["--lease-namespace", "cleanup"], undefined],
  ])("is found: %s", (_, argv, expected) => {
    expect(findCleanup(argv)).toEqual(expected);
  });
});
