import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const folder = join(import.meta.dirname, "../../../libs/goyaml/testdata");

interface YamlCase {
  readonly value?: unknown;
  readonly yaml?: string;
  readonly out?: string;
  readonly error?: string;
}

/** libs/goyaml/testdata: sigs.k8s.io/yaml, which the program around Go's templates brings. */
export const goyamlRecording: Recording = {
  name: "goyaml",
  files: () => ["from-yaml.json", "to-yaml.json"],
  ask: (file) => {
    const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as YamlCase[];
    const questions = cases.map(({ yaml, value }) => (yaml === undefined ? { toYaml: value } : { fromYaml: yaml }));
    const answers = askOracle(buildOracle("gotemplate"), questions) as YamlCase[]; // the lines of main.go
    return cases.map(({ out, error, ...question }, index) => ({
      name: JSON.stringify(question),
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
