import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askOracle, type AskOptions } from "./ask-oracle.ts";
import { buildOracle, type OracleName } from "./build-oracle.ts";
import type { Recording } from "./recording.ts";

/** What a file has of each case, beside its question. */
interface Recorded {
  readonly out?: string;
  readonly error?: string;
}

export interface FileRecording<Case> {
  readonly name: string;
  /** Folder below the root of the repository. */
  readonly folder: string;
  /** Glob of the files, each a JSON list of cases. */
  readonly pattern: string;
  readonly engine: OracleName;
  readonly options?: AskOptions;
  /** The line of the engine's stdin, and the name of the case. */
  readonly questionOf: (question: Case) => object;
  readonly nameOf: (question: Case) => string;
}

/** A recording whose files hold each question with `out` or `error` beside it, as the engine answers. */
export function fileRecording<Case extends object>(given: FileRecording<Case>): Recording {
  const { name, pattern, engine, options, questionOf, nameOf } = given;
  const folder = join(import.meta.dirname, "../..", given.folder);
  const read = (file: string): (Case & Recorded)[] =>
    JSON.parse(readFileSync(join(folder, file), "utf8")) as (Case & Recorded)[];
  return {
    name,
    files: () => globSync(pattern, { cwd: folder }).toSorted(),
    count: (file) => read(file).length,
    ask: (file) => {
      const cases = read(file);
      const answers = askOracle(buildOracle(engine), cases.map(questionOf), options) as Recorded[]; // the lines of main.go
      return cases.map(({ out, error, ...question }, index) => ({
        name: nameOf(question as unknown as Case), // all but the recorded answer
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
}
