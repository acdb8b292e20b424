import { formatMiB } from "@landscaper/budget";
import { type NamedMap, toWellFormed } from "@landscaper/golang";
import {
  type Budget,
  type ExecuteOptions,
  type MissingKey,
  type TemplateCache,
  TemplateError,
} from "@landscaper/gotemplate";
import type { HelmEnvironment, Lookup } from "../functions/helm-environment.ts";
import { chartValues, typeNameOf } from "../objects/chart-values.ts";
import { type CompiledTemplates, compileTemplates, withHelmError } from "./compiled-templates.ts";

/** Where a template stands: what it sees. */
export interface TemplatePlace {
  /** The chart's templates folder, e.g. "t/templates": `.Template.BasePath`. */
  readonly basePath: string;
  /** The dot, see chartScope. */
  readonly scope: NamedMap;
}

/** One file of a chart's templates folder. */
export interface ChartTemplate extends TemplatePlace {
  /** With the chart's path, e.g. "t/templates/a.yaml" or "t/charts/sub/templates/b.yaml". */
  readonly name: string;
  readonly text: string;
}

/** What a rendering may use beside its templates and their values. */
export interface RenderingOptions {
  /** Without it `lookup` finds nothing. */
  readonly lookup?: Lookup | undefined;
  /** Of each file; what its `content` counts is that of all. */
  readonly budget?: Budget | undefined;
  /** Bytes of all files together. Default: no limit but that of each file. */
  readonly maxBytes?: number | undefined;
  readonly now?: (() => Date) | undefined;
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
  /** Makes private keys; default: new ones. */
  readonly createKey?: ExecuteOptions["createKey"] | undefined;
}

export interface RenderTemplatesOptions extends RenderingOptions {
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
  const places = new Map(templates.map((template) => [template.name, template]));
  const texts = renderCompiled(compileTemplates(templates, options), places, options);
  return new Map([...texts].map(([name, text]) => [name, toWellFormed(text)]));
}

/**
 * renderTemplates with templates that are parsed already; `places` has all of them by name. Bytes that are no UTF-8 stay in
 * the texts, as lone surrogates.
 */
export function renderCompiled(
  { set, rendered }: CompiledTemplates,
  places: ReadonlyMap<string, TemplatePlace>,
  options: RenderingOptions,
): ReadonlyMap<string, string> {
  const { lookup, budget, maxBytes = Number.POSITIVE_INFINITY, ...sources } = options;
  const execution = definedOnly(sources);
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const name of rendered) {
    const place = places.get(name);
    if (place === undefined) continue;
    const { basePath, scope } = place;
    const template = new Map([
      ["Name", name],
      ["BasePath", basePath],
    ]);
    scope.set("Template", chartValues(template, typeNameOf(scope)));
    const environment: HelmEnvironment = { templates: set, includes: new Map(), lookup };
    // Values are shared, as in Helm: what one template sets in them is seen by the next.
    const settings = { ...execution, environment, sharesData: true, keepsBytes: true, budget: { maxDepth, ...budget } };
    const output = withHelmError(() => set.execute(name, scope, settings));
    bytes += Buffer.byteLength(output);
    if (bytes > maxBytes) throw tooMuchOutput(name, { bytes, maxBytes });
    texts.set(name, output.includes("<no value>") ? output.replaceAll("<no value>", "") : output);
  }
  return texts;
}

function tooMuchOutput(name: string, { bytes, maxBytes }: { bytes: number; maxBytes: number }): TemplateError {
  const sizes = `the files rendered so far have ${formatMiB(bytes)}, the limit is ${formatMiB(maxBytes)}`;
  return new TemplateError(`template: ${name}: budget exceeded: ${sizes}`, {
    kind: "budget",
    position: { templateName: name, line: 0 },
  });
}

function definedOnly({
  now,
  random,
  createKey,
}: Pick<RenderingOptions, "now" | "random" | "createKey">): ExecuteOptions {
  return {
    ...(now === undefined ? {} : { now }),
    ...(random === undefined ? {} : { random }),
    ...(createKey === undefined ? {} : { createKey }),
  };
}
