import { readFileSync } from "node:fs";
import { join } from "node:path";
import { goldenFiles, goldenFolder, readGolden } from "@landscaper/gotemplate/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";
import { templateRecording, type TemplateResult } from "../template-recording.ts";

interface GoResult extends TemplateResult {
  /** Go's process died of the template: a value that holds itself. */
  readonly crashed?: true;
}

/** libs/gotemplate/testdata: Go's text/template with sprig. */
export const gotemplateRecording: Recording = {
  ...templateRecording({
    name: "gotemplate",
    folder: goldenFolder,
    files: goldenFiles,
    read: readGolden,
    ask: askGoTemplates,
  }),
  // Keys and password hashes.
  costly: (file) =>
    ["certificates.json", "clock-and-chance.json"].includes(file)
      ? { engine: "gotemplate", content: readFileSync(join(goldenFolder, file), "utf8") }
      : undefined,
};

/** What Go makes of templates; cases without data get that of data.json. */
export function askGoTemplates(questions: readonly object[]): GoResult[] {
  const onCrash = (): GoResult => ({ crashed: true });
  const answers = askOracle(buildOracle("gotemplate"), questions, { args: [join(goldenFolder, "data.json")], onCrash });
  return answers as GoResult[]; // the lines of main.go
}
