import { type TemplateCache, type MissingKey, TemplateError, TemplateSet } from "@landscaper/gotemplate";
import { helmFunctions } from "../functions/helm-functions.ts";
import { helmTemplateError } from "./helm-template-error.ts";
import { compareTemplateNames } from "./template-order.ts";

/** A template's text under its name. */
export interface TemplateSource {
  readonly name: string;
  readonly text: string;
}

/** The templates of a release, parsed: may be rendered many times, with other values each time. */
export interface CompiledTemplates {
  readonly set: TemplateSet;
  /** In the order of rendering, partials left out. */
  readonly rendered: readonly string[];
}

export interface CompileOptions {
  readonly missingKey?: MissingKey | undefined;
  readonly cache?: TemplateCache | undefined;
}

/** Parses templates in Helm's order. Throws TemplateError with Helm's text for the first that is wrong. */
export function compileTemplates(sources: readonly TemplateSource[], options: CompileOptions = {}): CompiledTemplates {
  const { cache, missingKey = "zero" } = options;
  const set = new TemplateSet({
    functions: helmFunctions,
    missingKey,
    ...(cache === undefined ? {} : { cache }),
  });
  const ordered = sources.toSorted((a, b) => compareTemplateNames(a.name, b.name));
  for (const { name, text } of ordered) withHelmError(() => set.parse(name, text));
  const rendered = ordered.map(({ name }) => name).filter((name) => !isPartial(name));
  return { set, rendered };
}

function isPartial(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).startsWith("_");
}

/** Errors of templates in Helm's form. */
export function withHelmError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateError ? helmTemplateError(error) : error;
  }
}
