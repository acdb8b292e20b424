import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const folder = join(import.meta.dirname, "../../../libs/blueprint/src/schema/testdata");

interface SchemaCase {
  readonly schema: unknown;
  readonly value: unknown;
  readonly out?: string;
  readonly error?: string;
}

/** libs/blueprint/src/schema/testdata: gojsonschema, the library that the original checks imports with. */
export const jsonschemaRecording: Recording = {
  name: "blueprint",
  files: () => globSync("schema-*.json", { cwd: folder }).toSorted(),
  count: (file) => readCases(file).length,
  ask: (file) => {
    const cases = readCases(file);
    const questions = cases.map(({ schema, value }) => ({ schema, value }));
    const options = { onCrash: () => ({ error: "stack overflow" }) };
    const answers = askOracle(buildOracle("jsonschema"), questions, options) as SchemaCase[]; // the lines of main.go
    return cases.map(({ out, error, ...question }, index) => ({
      name: JSON.stringify(question.schema),
      recorded: out === undefined ? { error } : { out },
      real: answers[index],
      entry: { ...question, ...answers[index] },
    }));
  },
  write: (file, cases) => {
    const entries = cases.map(({ entry }) => entry);
    writeFileSync(join(folder, file), `${JSON.stringify(entries, undefined, 1)}\n`);
  },
};

function readCases(file: string): SchemaCase[] {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as SchemaCase[];
}
