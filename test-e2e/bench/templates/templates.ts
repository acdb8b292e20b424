// Compares both template languages with the real engines, which are Go programs: the same templates with the same values, and the bench checks that the outputs are equal.
// Both sides measure only the evaluation, inside their process, without start and pipe. They take turns in each round; the first round only warms up; medians count.
import { buildOracle } from "../../oracles/build-oracle.ts";
import { measureTemplates, type TemplateMeasure } from "./go-templates.ts";
import { LineProcess } from "../measure/line-process.ts";
import { measureSpiff, type SpiffMeasure } from "./spiff-documents.ts";
import { geometricMean, type TurnOptions } from "../measure/take-turns.ts";

export interface TemplatesBenchmark {
  readonly templates: readonly TemplateMeasure[];
  /** Geometric mean of the ratios of all templates. */
  readonly templatesRatio: number;
  readonly spiff: readonly SpiffMeasure[];
  /** Figures that miss what is asked for; empty when all is well. */
  readonly misses: readonly string[];
}

/** Ours to Go's over all templates, and ours to the reference's for each spiff document. */
export const required = { templatesRatio: 1, spiffRatio: 0.1 };

function findMisses({ templatesRatio, spiff }: Omit<TemplatesBenchmark, "misses">): string[] {
  const misses: string[] = [];
  if (templatesRatio > required.templatesRatio) {
    misses.push(
      `Go templates: ${templatesRatio.toFixed(2)} times Go's time, wanted at most ${required.templatesRatio}`,
    );
  }
  for (const { name, evaluation, firstNanoseconds, limitMilliseconds } of spiff) {
    if (evaluation.ratio > required.spiffRatio) {
      const factor = (1 / evaluation.ratio).toFixed(1);
      misses.push(`spiff, ${name}: ${factor} times as fast as the reference, wanted 10`);
    }
    const milliseconds = firstNanoseconds / 1e6;
    if (limitMilliseconds !== undefined && milliseconds > limitMilliseconds) {
      misses.push(`spiff, ${name}: ${milliseconds.toFixed(0)} ms, wanted at most ${limitMilliseconds} ms`);
    }
  }
  return misses;
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
  return { ...measured, misses: findMisses(measured) };
}
