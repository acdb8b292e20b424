import { pureTemplateFunctions } from "@landscaper/blueprint";
import { mapFromPlain } from "@landscaper/golang";
import { type MissingKey, parseTemplate } from "@landscaper/gotemplate";
import { chartScope, releaseScope, renderTemplates } from "@landscaper/helm";
import { startCommandBudget } from "../render-budget.ts";
import type { InputText, Values } from "./read-values.ts";

export interface TemplateRun {
  readonly template: InputText;
  readonly values: Values;
  readonly missingKey: MissingKey;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
}

/** A template by itself: the values are the dot. Throws TemplateError. */
export function executeTemplate({ template, values, missingKey, now, random }: TemplateRun): string {
  const parsed = parseTemplate({ ...template, functions: pureTemplateFunctions, missingKey });
  return parsed.execute(values, { now, random, budget: startCommandBudget() });
}

/** The chart that a template is put into when there is none. */
const chart = { name: "t", version: "1.2.3", appVersion: "v9", apiVersion: "v2" };
const basePath = `${chart.name}/templates`;

/** Name of a template in that chart by the name of its file. */
export function nameInChart(fileName: string): string {
  return `${basePath}/${fileName}`;
}

/** A template as the only one of a chart, as Helm renders it. Throws TemplateError with Helm's message. */
export function executeHelmTemplate({
  template,
  values,
  kubeVersion = "v1.35.0",
  files,
  ...run
}: TemplateRun & {
  readonly kubeVersion: string | undefined;
  /** Content by path, for `.Files`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}): string {
  const release = releaseScope({ name: "rel", namespace: "ns" }, { kubeVersion });
  const scope = chartScope({ metadata: chart, isRoot: true, values: mapFromPlain(values), files }, release);
  const { name, text } = template;
  return renderTemplates([{ name, text, basePath, scope }], { ...run, budget: startCommandBudget() }).get(name) ?? "";
}
