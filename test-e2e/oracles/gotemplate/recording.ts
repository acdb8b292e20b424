import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenFiles, goldenFolder, readGolden } from "@landscaper/gotemplate/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

interface GoResult {
  readonly out?: string;
  readonly error?: string;
  /** Go's process died of the template: a value that holds itself. */
  readonly crashed?: true;
}

/** libs/gotemplate/testdata: Go's text/template with sprig. */
export const gotemplateRecording: Recording = {
  name: "gotemplate",
  files: goldenFiles,
  ask: (file) => {
    const cases = readGolden(file);
    const questions = cases.map(({ out: _out, error: _error, ...question }) => question);
    const answers = askGoTemplates(questions);
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

/** What Go makes of templates; cases without data get that of data.json. */
export function askGoTemplates(questions: readonly object[]): GoResult[] {
  const onCrash = (): GoResult => ({ crashed: true });
  const answers = askOracle(buildOracle("gotemplate"), questions, { args: [join(goldenFolder, "data.json")], onCrash });
  return answers as GoResult[]; // the lines of main.go
}
