import {
  goldenFiles,
  questionOf,
  readCases,
  readGolden,
  resultOf,
  writeGolden,
  type GoldenResult,
  type OracleAnswer,
} from "@landscaper/spiff/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

/** libs/spiff/testdata: spiff v1.7.0-beta-7. */
export const spiffRecording: Recording = {
  name: "spiff",
  files: goldenFiles,
  ask: (file) => {
    const cases = readCases(file);
    const golden = readGolden(file);
    const answers = askSpiff(cases.map(questionOf));
    return cases.map((item, index) => {
      const real = resultOf(answers[index] ?? {}, item);
      return { name: item.name, recorded: golden[item.name], real, entry: real };
    });
  },
  write: (file, cases) => {
    const results = cases.map(({ name, real }) => [name, real as GoldenResult] as const);
    writeGolden(file, Object.fromEntries(results));
  },
};

/** What the real spiff answers to merges. */
export function askSpiff(questions: readonly unknown[]): OracleAnswer[] {
  const onCrash = (): OracleAnswer => ({ error: "panic: the process ended" });
  return askOracle(buildOracle("spiff"), questions, { onCrash }) as OracleAnswer[]; // the lines of main.go
}
