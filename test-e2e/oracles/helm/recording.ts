import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenFiles, goldenFolder, readGolden } from "@landscaper/helm/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

interface HelmResult {
  readonly out?: string;
  readonly error?: string;
}

/** libs/helm/testdata: Helm's engine. */
export const helmRecording: Recording = {
  name: "helm",
  files: goldenFiles,
  ask: (file) => {
    const cases = readGolden(file);
    const questions = cases.map(({ out: _out, error: _error, ...question }) => question);
    const args = [join(goldenFolder, "chart.json")];
    const answers = askOracle(buildOracle("helm"), questions, { args }) as HelmResult[]; // the lines of main.go
    return cases.map(({ template, out, error }, index) => ({
      name: template,
      recorded: out === undefined ? { error } : { out },
      real: answers[index],
      entry: { ...questions[index], ...answers[index] },
    }));
  },
  write: (file, cases) => {
    const entries = cases.map(({ entry }) => entry);
    writeFileSync(join(goldenFolder, file), `${JSON.stringify(entries, undefined, 1)}\n`);
  },
};
