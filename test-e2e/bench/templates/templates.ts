// Compares both template languages with the real engines, which are Go programs: the same templates with the same values, and the bench checks that the outputs are equal.
// Both sides measure only the evaluation, inside their process, without start and pipe. They take turns in each round; the first round only warms up; medians count.
import { buildOracle } from "../../oracles/build-oracle.ts";
import { measureTemplates, type TemplateMeasure } from "./go-templates.ts";
import { listOverBudget } from "../measure/judge-figures.ts";
import { LineProcess } from "../measure/line-process.ts";
import { measureSpiff, type SpiffMeasure } from "./spiff-documents.ts";
import { geometricMean, type TurnOptions } from "../measure/take-turns.ts";

export interface TemplatesBenchmark {
  readonly templates: readonly TemplateMeasure[];
  /** Geometric mean of the ratios of all templates. */
  readonly templatesRatio: number;
  readonly spiff: readonly SpiffMeasure[];
  readonly misses: readonly string[];
}

/** Our time to Go's over all templates, and to the reference's for each spiff document. */
const budgets = { templatesRatio: 1, spiffRatio: 0.1 };

/** Returns one line per figure over its budget. */
export function listTemplateMisses({ templatesRatio, spiff }: Omit<TemplatesBenchmark, "misses">): string[] {
  return listOverBudget([
    ["time of Go templates to that of Go", templatesRatio, budgets.templatesRatio],
    ...spiff.map(
      ({ name, evaluation }) => [`time of ${name} to that of spiff`, evaluation.ratio, budgets.spiffRatio] as const,
    ),
    ...spiff.flatMap(({ name, firstNanoseconds, limitMilliseconds: limit }) =>
      limit === undefined ? [] : [[`ms of ${name}, first run`, firstNanoseconds / 1e6, limit] as const],
    ),
  ]);
}

async function withProcesses<T>(processes: readonly LineProcess[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const each of processes) each.stop();
  }
}

/** Measures both template languages beside the programs in Go, taking turns. */
export async function benchTemplates(
  options: TurnOptions & { readonly isShort: boolean; readonly announce: (line: string) => void },
): Promise<TemplatesBenchmark> {
  const { announce } = options;
  announce("building the programs in Go ...");
  const goTemplates = buildOracle("gotemplate").program;
  const spiffProgram = buildOracle("spiff").program;
  announce("Go templates ...");
  const go = new LineProcess(goTemplates, ["time"]);
  const templates = await withProcesses([go], async () => measureTemplates(go, options));
  announce("spiff ...");
  const reference = { answers: new LineProcess(spiffProgram), times: new LineProcess(spiffProgram, ["time"]) };
  const spiff = await withProcesses([reference.answers, reference.times], async () => measureSpiff(reference, options));
  const templatesRatio = geometricMean(templates.map(({ execution }) => execution.ratio));
  const measured = { templates, templatesRatio, spiff };
  return { ...measured, misses: listTemplateMisses(measured) };
}
