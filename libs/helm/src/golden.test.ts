import { describe, expect, it } from "@jest/globals";
import { goldenFiles, readGolden, runOurs } from "../test/index.ts";

describe.each(goldenFiles())("Helm and we agree on %s", (file) => {
  it.each(readGolden(file).map((golden, i) => [`${i} ${golden.template}`, golden] as const))("%s", (_, golden) => {
    const { out, error } = golden;
    expect(runOurs(golden)).toEqual(out === undefined ? { error } : { out });
  });
});
