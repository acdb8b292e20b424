import type { ChartCase, SetCase, TemplateCase } from "@landscaper/helm/testing";
import type * as fc from "fast-check";
import { helmArchiveCase } from "../helm-archives.ts";
import { helmChartCase } from "../helm-charts.ts";
import { helmSchemaCase } from "../helm-schemas.ts";
import { helmSetCase } from "../helm-sets.ts";
import { helmTemplateCase } from "../helm-templates.ts";
import { type HelmCommand, usualWords, withShowTemplates } from "./helm-command.ts";

/** The cases of the Go oracle as command lines, for versions of Helm of which only the command is built. */
export const helmCases: Readonly<
  Record<"archives" | "charts" | "schemas" | "sets" | "templates", fc.Arbitrary<HelmCommand>>
> = {
  archives: helmArchiveCase.map(archiveCommand),
  charts: helmChartCase.map(chartCommand),
  schemas: helmSchemaCase.map(chartCommand),
  sets: helmSetCase.map(setCommand),
  templates: helmTemplateCase.map(templateCommand),
};

function archiveCommand({ archive = "" }: ChartCase): HelmCommand {
  const [, ...flags] = usualWords;
  return { files: { "chart.tgz": { base64: archive } }, words: ["CHART/chart.tgz", ...flags] };
}

/** A command does all steps: it checks and processes dependencies, coalesces values and checks them. */
function chartCommand({ files = {}, flags: { files: valueFiles = [] } = {} }: ChartCase): HelmCommand {
  const given = valueFiles.flatMap((file) => ["-f", `CHART/${file}`]);
  return { files: withShowTemplates(files), words: [...usualWords, ...given] };
}

/** Returns one flag on top of a file of values. Files that --set-file may name are in the folder. */
function setCommand({ kind, text, into = {} }: SetCase): HelmCommand {
  const files = {
    ...Object.fromEntries(["1", "x", "a=b", "é"].map((name) => [name, `content of ${name}`])),
    "into.json": JSON.stringify(into),
    "chart/Chart.yaml": '{"apiVersion":"v2","name":"c","version":"1.0.0"}',
  };
  const flag = kind === "set" ? "--set" : `--set-${kind}`;
  return { files: withShowTemplates(files), words: [...usualWords, "-f", "CHART/into.json", `${flag}=${text}`] };
}

function templateCommand({ files, values }: TemplateCase): HelmCommand {
  return {
    files: { ...files, "given.json": JSON.stringify(values) },
    words: [...usualWords, "-f", "CHART/given.json", "--include-crds"],
  };
}
