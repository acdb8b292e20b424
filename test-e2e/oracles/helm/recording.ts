import { join } from "node:path";
import { goldenFiles, goldenFolder, readGolden } from "@landscaper/helm/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import { templateRecording, type TemplateResult } from "../template-recording.ts";

/** libs/helm/testdata: Helm's engine. */
export const helmRecording = templateRecording({
  name: "helm",
  folder: goldenFolder,
  files: goldenFiles,
  read: readGolden,
  ask: (questions) =>
    askOracle(buildOracle("helm"), questions, { args: [join(goldenFolder, "chart.json")] }) as TemplateResult[], // the lines of main.go
});
