import { runTemplateCase, type TemplateCase, type TemplateCaseResult } from "@landscaper/helm/testing";
import { askTemplates } from "../../oracles/helm/chart-recording.ts";
import { helmTemplateCase } from "./helm-templates.ts";
import type { FuzzTarget } from "./run-fuzz.ts";

/** What `helm template` makes of whole charts beside what we make of them: manifests, hooks, notes, and errors with their places. */
export const helmTemplateTarget: FuzzTarget<TemplateCase> = {
  cases: helmTemplateCase,
  compare: async (cases) => {
    const answers = askTemplates(cases);
    return Promise.all(
      cases.map(async (item, index) => {
        const real = textOf(answers[index]);
        const ours = textOf(await ourAnswer(item));
        return real === ours ? undefined : `${JSON.stringify(item, undefined, 1)}\nHelm: ${real}\nours: ${ours}`;
      }),
    );
  },
};

/** Helm tells a chain of a thousand inclusions, and may come deeper. */
const endless = /nested reference name|nested too deeply|exceeded maximum template depth/;

function textOf(result: TemplateCaseResult | undefined): string {
  if (endless.test(result?.error ?? "")) return "endless recursion";
  return `${result?.out ?? ""}\n${result?.notes ?? ""}\n${result?.error ?? ""}`;
}

async function ourAnswer(item: TemplateCase): Promise<TemplateCaseResult> {
  try {
    return await runTemplateCase(item);
  } catch (error) {
    return { out: "", error: `crash: ${error instanceof Error ? String(error.stack) : String(error)}` };
  }
}
