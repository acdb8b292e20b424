import type { NamedMap } from "@landscaper/golang";
import { type Budget, type MissingKey, type TemplateCache, TemplateError, TemplateSet } from "@landscaper/gotemplate";
import type { HelmEnvironment, Lookup } from "../functions/helm-environment.ts";
import { helmFunctions } from "../functions/helm-functions.ts";
import { chartValues } from "../objects/chart-values.ts";
import { helmTemplateError } from "./helm-template-error.ts";
import { compareTemplateNames } from "./template-order.ts";

/** One file of a chart's templates folder. */
export interface ChartTemplate {
  /** With the chart's path, e.g. "t/templates/a.yaml" or "t/charts/sub/templates/b.yaml". */
  readonly name: string;
  readonly text: string;
  /** The chart's templates folder, e.g. "t/templates": `.Template.BasePath`. */
  readonly basePath: string;
  /** The dot, see chartScope. */
  readonly scope: NamedMap;
}

export interface RenderTemplatesOptions {
  /** Without it `lookup` finds nothing. */
  readonly lookup?: Lookup | undefined;
  /** Of each file. */
  readonly budget?: Budget | undefined;
  readonly now?: (() => Date) | undefined;
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  readonly cache?: TemplateCache | undefined;
  /** What a missing key gives; Helm has "zero", and "error" in its strict mode. */
  readonly missingKey?: MissingKey | undefined;
}

/** Helm's limit for inclusions of one template, and room for templates that include each other. */
const maxDepth = 3000;

/**
 * Renders all templates of a release as Helm v3's engine does; the result has the text by name, without those whose file
 * name begins with "_". Throws TemplateError with Helm's text for the first that fails.
 */
export function renderTemplates(
  templates: readonly ChartTemplate[],
  options: RenderTemplatesOptions = {},
): ReadonlyMap<string, string> {
  const { lookup, budget, cache, missingKey = "zero", ...execution } = options;
  const set = new TemplateSet({
    functions: helmFunctions,
    missingKey,
    ...(cache === undefined ? {} : { cache }),
  });
  const ordered = templates.toSorted((a, b) => compareTemplateNames(a.name, b.name));
  for (const { name, text } of ordered) withHelmError(() => set.parse(name, text));
  const rendered = new Map<string, string>();
  for (const { name, basePath, scope } of ordered) {
    if (name.slice(name.lastIndexOf("/") + 1).startsWith("_")) continue;
    scope.set(
      "Template",
      chartValues(
        new Map([
          ["Name", name],
          ["BasePath", basePath],
        ]),
      ),
    );
    const environment: HelmEnvironment = { templates: set, includes: new Map(), lookup };
    const settings = { ...definedOnly(execution), environment, budget: { maxDepth, ...budget } };
    const output = withHelmError(() => set.execute(name, scope, settings));
    rendered.set(name, output.replaceAll("<no value>", ""));
  }
  return rendered;
}

function definedOnly({ now, random }: Pick<RenderTemplatesOptions, "now" | "random">): {
  now?: () => Date;
  random?: (bytes: number) => Uint8Array;
} {
  return { ...(now === undefined ? {} : { now }), ...(random === undefined ? {} : { random }) };
}

function withHelmError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateError ? helmTemplateError(error) : error;
  }
}
