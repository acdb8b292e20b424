import type { CallContext } from "@landscaper/golang";
import type { TemplateCache } from "@landscaper/gotemplate";
import type { BlueprintFiles } from "../blueprint-source.ts";
import type { LandscaperFunctions } from "./landscaper-functions.ts";

/** What Landscaper's template functions work on. */
export interface TemplateEnvironment {
  readonly files: BlueprintFiles;
  readonly functions: LandscaperFunctions;
  readonly cache: TemplateCache | undefined;
  /** How often each file is being included right now. */
  readonly includes: Map<string, number>;
}

/** The environment that executeGoTemplate gave. */
export function environmentOf(context: CallContext): TemplateEnvironment {
  // Only executeGoTemplate runs templates with these functions, and it always gives one.
  return context.environment as TemplateEnvironment;
}
