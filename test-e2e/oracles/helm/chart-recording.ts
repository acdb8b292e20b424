import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  ChartCase,
  ChartResult,
  SetCase,
  SetResult,
  TemplateCase,
  TemplateCaseResult,
} from "@landscaper/helm/testing";
import { askOracle } from "../ask-oracle.ts";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const folder = join(import.meta.dirname, "../../../libs/helm/testdata");

/** What Helm makes of --set texts; values beside an error are not told. */
export function askSets(cases: readonly SetCase[]): SetResult[] {
  const answers = askOracle(buildOracle("helm"), cases, { args: ["strvals"] }) as SetResult[]; // the lines of charts.go
  return answers.map(({ error, values }) => (error === undefined ? { values } : { error }));
}

/** What Helm makes of charts. */
export function askCharts(cases: readonly ChartCase[]): ChartResult[] {
  return askOracle(buildOracle("helm"), cases, { args: ["charts"] }) as ChartResult[]; // the lines of charts.go
}

/** What `helm template` makes of charts. */
export function askTemplates(cases: readonly TemplateCase[]): TemplateCaseResult[] {
  return askOracle(buildOracle("helm"), cases, { args: ["template"] }) as TemplateCaseResult[]; // the lines of template.go
}

interface RecordedCase {
  readonly name?: string;
  readonly text?: string;
  readonly rules?: string;
  readonly result?: unknown;
}

/** How the cases of a folder are asked. */
const askers: Readonly<Record<string, (questions: readonly object[]) => readonly unknown[]>> = {
  sets: (questions) => askSets(questions as readonly SetCase[]), // the cases of that folder
  ignore: (questions) => askOracle(buildOracle("helm"), questions, { args: ["ignore"] }),
  loading: (questions) => askCharts(questions as readonly ChartCase[]), // the cases of that folder
};

/** libs/helm/testdata/{sets,ignore,loading}: how Helm loads charts and merges values. */
export const helmChartRecording: Recording = {
  name: "helm-charts",
  files: () => globSync("{sets,ignore,loading}/*.json", { cwd: folder }).toSorted(),
  count: (file) => readCases(file).length,
  ask: (file) => {
    const cases = readCases(file);
    const questions = cases.map(({ result: _result, ...question }) => question);
    const answers = askers[file.split("/", 1)[0] ?? ""]?.(questions) ?? [];
    return cases.map(({ name, text, rules, result }, index) => ({
      name: name ?? text ?? rules ?? "",
      recorded: result,
      real: answers[index],
      entry: { ...questions[index], result: answers[index] },
    }));
  },
  write: (file, cases) => {
    const lines = cases.map(({ entry }) => `  ${JSON.stringify(entry)}`);
    writeFileSync(join(folder, file), `[\n${lines.join(",\n")}\n]\n`);
  },
};

function readCases(file: string): readonly RecordedCase[] {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly RecordedCase[];
}
