import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const folder = join(import.meta.dirname, "../../../libs/goyaml/testdata");

interface YamlCase {
  readonly value?: unknown;
  readonly yaml?: string;
  readonly strict?: boolean;
  /** Base64. */
  readonly bytes?: string;
  readonly stream?: string;
  readonly json?: string;
  /** Base64. */
  readonly jsonBytes?: string;
  readonly out?: string;
  readonly error?: string;
}

/** What read.go and main.go call the question of a case. */
function questionOf({ value, yaml, strict, bytes, stream, json, jsonBytes }: YamlCase): object {
  if (yaml !== undefined) return { fromYaml: yaml, strict };
  if (bytes !== undefined) return { fromYamlBytes: bytes };
  if (stream !== undefined) return { yamlStream: stream };
  if (json !== undefined) return { fromJson: json };
  return jsonBytes === undefined ? { toYaml: value } : { fromJsonBytes: jsonBytes };
}

/** libs/goyaml/testdata: sigs.k8s.io/yaml, go-yaml and encoding/json, which the program around Go's templates brings. */
export const goyamlRecording: Recording = {
  name: "goyaml",
  files: () => globSync("*.json", { cwd: folder }).toSorted(),
  count: (file) => readCases(file).length,
  ask: (file) => {
    const cases = readCases(file);
    const answers = askOracle(buildOracle("gotemplate"), cases.map(questionOf)) as YamlCase[]; // the lines of main.go
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

function readCases(file: string): YamlCase[] {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as YamlCase[];
}
