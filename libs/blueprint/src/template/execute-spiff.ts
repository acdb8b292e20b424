import { LandscaperError } from "@landscaper/api";
import { FunctionError } from "@landscaper/golang";
import type { Float64Object, Float64Value } from "@landscaper/json";
import { createSpiff, SpiffError, type Spiff } from "@landscaper/spiff";
import type { BlueprintErrorReason } from "../blueprint-error.ts";
import type { BlueprintFiles } from "../blueprint-source.ts";
import type { RenderContext } from "../render-context.ts";
import type { HostFunction } from "../template-host.ts";
import { goTemplateOnly, landscaperFunctions } from "./landscaper-functions.ts";
import { spiffFailure, type FailedTemplate, type TemplateText } from "./template-failure.ts";
import { toJsonData } from "./to-json-data.ts";

export interface SpiffRun {
  /** Names the execution or the data mapping in messages. */
  readonly where: string;
  readonly template: TemplateText;
  /** How messages name the document: "template", or the key of a data mapping (spiff.md §7). */
  readonly document: string;
  readonly bindings: Float64Object;
  /** The bindings as error messages show them, without their values; default `bindings`. */
  readonly shownBindings?: Readonly<Record<string, unknown>>;
  readonly context: RenderContext;
  /** One for several runs with the same bindings saves converting them for each. */
  readonly engine?: Spiff;
  /** Files, Landscaper's functions and the state of the last run: absent for data mappings, which have none of them. */
  readonly execution?: { readonly state: Float64Value | undefined };
  /** Of errors; default TemplatingFailed. */
  readonly reason?: BlueprintErrorReason;
}

export interface SpiffOutput {
  /** Plain JSON data. */
  readonly output: unknown;
  /** The nodes marked &state; undefined when there are none. */
  readonly state: unknown;
}

/** Evaluates a document of the spiff language (spiff.md §1). Throws LandscaperError with the place in the source. */
export function executeSpiff(run: SpiffRun): SpiffOutput {
  const { where, template, document, bindings, context, execution, reason } = run;
  const files = execution === undefined ? undefined : context.source.files;
  const failed: FailedTemplate = {
    where,
    template,
    bindings: run.shownBindings ?? bindings,
    scope: bindings,
    files,
    reason,
  };
  const thrown: unknown[] = [];
  const { engine = createEngine(context) } = run;
  context.secretWatch?.noteAll();
  try {
    const result = engine.merge({
      template: { name: document, text: template.text },
      stubs: hasState(execution) ? [{ name: "state", data: execution.state }] : [],
      bindings,
      files: files === undefined ? undefined : readable(files),
      functions: execution === undefined ? {} : functionsOf(context, thrown),
    });
    throwForeign(thrown);
    return {
      output: toJsonData(result.output, where),
      state: result.state === undefined ? undefined : toJsonData(result.state, where),
    };
  } catch (error) {
    throwForeign(thrown);
    if (!(error instanceof SpiffError)) throw error;
    throw spiffFailure(error, failed, thrown[0]);
  }
}

/** The language with the limits, time and random bytes of a rendering. */
export function createEngine({ budget, now, random, createKey, caches }: RenderContext): Spiff {
  return createSpiff({
    cache: caches?.spiff,
    random,
    createKey,
    clock: now,
    limits: { steps: budget?.maxSteps, depth: budget?.maxDepth, size: budget?.maxOutput, content: budget?.content },
  });
}

function hasState(execution: SpiffRun["execution"]): execution is { readonly state: Float64Value } {
  return execution?.state !== undefined && execution.state !== null;
}

/** Landscaper's functions; what they throw beyond mistakes of the template is noted, since expressions can swallow it. */
function functionsOf(context: RenderContext, thrown: unknown[]): Readonly<Record<string, HostFunction>> {
  const functions = Object.entries(landscaperFunctions(context.component, context.host));
  const shared = functions.filter(([name]) => !goTemplateOnly.has(name));
  return Object.fromEntries(shared.map(([name, call]) => [name, noting(call, thrown)]));
}

function noting(call: HostFunction, thrown: unknown[]): HostFunction {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (!(error instanceof FunctionError)) thrown.push(error);
      throw error;
    }
  };
}

/** What a host throws to ask for input ends the rendering, whatever the document makes of it (helm.md §4.7). */
function throwForeign(thrown: readonly unknown[]): void {
  const foreign = thrown.find((error) => !(error instanceof LandscaperError));
  if (foreign !== undefined) throw foreign;
}

/** The files of the blueprint; what cannot be read, such as a folder or a path that leaves the blueprint, is not there. */
function readable(files: BlueprintFiles): Pick<BlueprintFiles, "has" | "readText" | "readDir"> {
  return {
    has: (path) => {
      try {
        files.readFile(path);
        return true;
      } catch (error) {
        if (error instanceof LandscaperError) return false;
        throw error;
      }
    },
    readText: (path) => files.readText(path),
    readDir: (path) => files.readDir(path),
  };
}
