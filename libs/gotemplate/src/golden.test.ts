import { describe, expect, it } from "@jest/globals";
import { goldenFiles, readGolden, runOurs } from "../test/index.ts";

describe.each(goldenFiles())("Go and we agree on %s", (file) => {
  const cases = readGolden(file);
  it.each(cases.map((goldenCase) => [goldenCase.template, goldenCase] as const))("%s", (_, goldenCase) => {
    const { out, error } = goldenCase;
    expect(runOurs(goldenCase)).toEqual(out === undefined ? { error } : { out });
  });
});
