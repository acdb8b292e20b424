import { expect, it } from "@jest/globals";
import { createForeignErrors } from "@landscaper/testkit";
import { toArchiveError } from "./read-archive.ts";

it.each(createForeignErrors())("explains $name of $library in an archive without its text", ({ library, error }) => {
  const explained = toArchiveError(error, "layer x");
  if (library !== "zlib") {
    expect(explained).toBe(error);
    return;
  }
  expect(String(explained)).toMatch(/^LandscaperError: layer x: not a tar archive, or damaged: it(?:s| )/);
  expect(String(explained)).not.toMatch(/words of a library|hunter2/);
});
