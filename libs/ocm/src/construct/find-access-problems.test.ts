import { describe, expect, it } from "@jest/globals";
import { findAccessProblems } from "./find-access-problems.ts";

const inQuotes = "expected a string, found a number. Put the value in quotes.";

describe("findAccessProblems", () => {
  it.each<[access: Readonly<Record<string, unknown>> & { readonly type: string }, problems: readonly string[]]>([
    [{ type: "git", commit: 1 }, [`commit: ${inQuotes}`]],
    [{ type: "gitHub/v1", Commit: 10n }, [`Commit: ${inQuotes}`]],
    [
      { type: "maven", version: 1, classifier: 2, extension: 3 },
      ["version", "classifier", "extension"].map((field) => `${field}: ${inQuotes}`),
    ],
    [
      { type: "wget/v1", url: 1, mediaType: 2, verb: 3, body: 4 },
      ["url", "mediaType", "verb", "body"].map((field) => `${field}: ${inQuotes}`),
    ],
    [{ type: "npm", version: true }, ["version: expected a string, found a boolean. Put the value in quotes."]],
    [{ type: "s3", key: ["a"] }, ["key: expected a string, found a list. Replace it with a string."]],
    [{ type: "s3", key: {} }, ["key: expected a string, found a map. Replace it with a string."]],
    [{ type: "git", commit: null, ref: undefined, repository: "r", depth: 1 }, []],
    [{ type: "other", commit: 1 }, []],
  ])("of %p are %j", (access, problems) => {
    expect(findAccessProblems(access)).toEqual(problems);
  });
});
