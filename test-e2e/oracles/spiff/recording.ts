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

/** Functions whose results depend on clock and chance. */
const isVolatile = /\b(archive|tempfile|rand|encrypt|bcrypt|md5crypt|x509genkey|x509cert|wggenkey)\(/;

/** libs/spiff/testdata: spiff v1.7.0-beta-7. */
export const spiffRecording: Recording = {
  name: "spiff",
  files: goldenFiles,
  count: (file) => readCases(file).length,
  ask: (file) => {
    const cases = readCases(file);
    const golden = readGolden(file);
    const answers = askSpiff(cases.map(questionOf));
    return cases.map((item, index) => {
      const real = resultOf(answers[index] ?? {}, item);
      const then = golden[item.name];
      // Where each run gives something else, the first recording stays.
      const isOther = isVolatile.test(item.template) && then !== undefined;
      return { name: item.name, recorded: isOther ? real : then, real, entry: isOther ? then : real };
    });
  },
  // Keys and password hashes.
  costly: (file) =>
    file === "crypto.expressions.txt"
      ? { engine: "spiff", content: JSON.stringify([readCases(file).map(questionOf), readGolden(file)]) }
      : undefined,
  write: (file, cases) => {
    const results = cases.map(({ name, entry }) => [name, entry as GoldenResult] as const);
    writeGolden(file, Object.fromEntries(results));
  },
};

/** What the real spiff answers to merges. */
export function askSpiff(questions: readonly unknown[]): OracleAnswer[] {
  const onCrash = (): OracleAnswer => ({ error: "panic: the process ended" });
  return askOracle(buildOracle("spiff"), questions, { onCrash }) as OracleAnswer[]; // the lines of main.go
}
