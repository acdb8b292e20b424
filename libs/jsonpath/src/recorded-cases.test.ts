import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { compileJsonPath } from "./index.ts";

interface RecordedCase {
  expression: string;
  /** Absent: the result is the same in both modes. */
  allowMissingKeys?: boolean;
  want?: string;
  error?: string;
}

const { document, cases } = JSON.parse(readFileSync(`${import.meta.dirname}/../testdata/kubectl.json`, "utf8")) as {
  document: unknown;
  cases: RecordedCase[];
};

function outcomeOf(expression: string, allowMissingKeys: boolean): { want: string } | { error: string } {
  try {
    return { want: compileJsonPath(expression, { allowMissingKeys }).format(document) };
  } catch (error) {
    return { error: (error as Error).message.replace(/ at position \d+$/, "") };
  }
}

describe("compileJsonPath, as kubectl prints", () => {
  for (const { expression, allowMissingKeys, want, error } of cases) {
    for (const mode of allowMissingKeys === undefined ? [true, false] : [allowMissingKeys]) {
      it(`${expression} with missing keys ${mode ? "allowed" : "refused"}`, () => {
        const expected = error === undefined ? { want } : { error: `jsonpath ${JSON.stringify(expression)}: ${error}` };
        expect(outcomeOf(expression, mode)).toEqual(expected);
      });
    }
  }
});
