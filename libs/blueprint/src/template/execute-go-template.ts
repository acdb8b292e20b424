import { parseTemplate } from "@landscaper/gotemplate";
import type { Float64Object } from "@landscaper/json";
import { watchBindings } from "../provenance/secret-watch.ts";
import type { RenderContext } from "../render-context.ts";
import { goTemplateFunctions } from "./go-template-functions.ts";
import { landscaperFunctions } from "./landscaper-functions.ts";
import type { TemplateEnvironment } from "./template-environment.ts";
import { goTemplateFailure, type TemplateText } from "./template-failure.ts";

export interface GoTemplateRun {
  /** Names the execution in messages. */
  readonly where: string;
  readonly template: TemplateText;
  readonly bindings: Float64Object;
  readonly context: RenderContext;
}

/** Renders a Go template with sprig and Landscaper's functions. Throws LandscaperError with the place in the source. */
export function executeGoTemplate({ where, template, bindings, context }: GoTemplateRun): string {
  const environment: TemplateEnvironment = {
    files: context.source.files,
    functions: landscaperFunctions(context.component, context.host),
    cache: context.caches?.templates,
    includes: new Map(),
  };
  const { budget, createKey } = context;
  try {
    const parsed = parseTemplate({
      ...template,
      functions: goTemplateFunctions,
      missingKey: "zero",
      ...(environment.cache === undefined ? {} : { cache: environment.cache }),
    });
    return parsed.execute(watchBindings(bindings, context.secretWatch), {
      environment,
      now: context.now,
      random: context.random,
      ...(budget === undefined ? {} : { budget }),
      ...(createKey === undefined ? {} : { createKey }),
    });
  } catch (error) {
    throw goTemplateFailure(error, { where, template, bindings, files: context.source.files });
  }
}
