import { SpiffCache } from "./spiff-cache.ts";
import { SpiffError, type UnresolvedNode } from "./spiff-error.ts";
import type { BudgetLimits } from "./evaluate/budget.ts";
import type { Host } from "./evaluate/environment.ts";
import type { PlainFunction } from "./functions/create-functions.ts";
import { mergeDocuments } from "./merge-documents.ts";
import type { MapValue } from "./value/value.ts";
import type { NumberMode } from "./value/from-plain.ts";

/** Parts of the language that have to be switched on. */
export type SpiffFeature = "interpolation" | "control";

export interface SpiffOptions {
  /** Parsed texts; shared between instances it saves parsing the same templates again. Default: one of its own. */
  readonly cache?: SpiffCache | undefined;
  /** "original": numbers of bindings stay floats, as Landscaper's Go code has them. Default "integers". */
  readonly numbers?: NumberMode | undefined;
  readonly limits?: BudgetLimits | undefined;
  /** Random bytes, for rand(), serial numbers and salts; without it these functions fail. */
  readonly random?: Host["random"];
  /** The time of day, for certificates; without it they fail. */
  readonly clock?: Host["clock"];
  /** Makes the private keys of x509genkey(). Default: new ones. Callers replace it to keep results. */
  readonly createKey?: Host["createKey"];
  /** More functions, on plain data; they win over functions of the language. */
  readonly functions?: Readonly<Record<string, PlainFunction>> | undefined;
  /** Default none. */
  readonly features?: readonly SpiffFeature[] | undefined;
}

/** A document: YAML text, or data. Text in it that looks like an expression is one. */
export type SpiffDocument =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly data: unknown };

export interface SpiffMerge {
  readonly template: SpiffDocument;
  /** The text of the template may hold several documents: each is merged, in order. Default: one document only. */
  readonly isStream?: boolean | undefined;
  /** Nearest first, as on the command line of the original. */
  readonly stubs?: readonly SpiffDocument[] | undefined;
  /**
   * Values around the document. They are data: text in them is never evaluated. The same object in several calls is
   * converted once, and must not be changed between them.
   */
  readonly bindings?: Readonly<Record<string, unknown>> | undefined;
  /** Data that all documents see as `name::path`. */
  readonly tags?: Readonly<Record<string, unknown>> | undefined;
  readonly files?: Host["files"];
  readonly functions?: Readonly<Record<string, PlainFunction>> | undefined;
  /** Instead of those of `createSpiff`. */
  readonly features?: readonly SpiffFeature[] | undefined;
  /** Nodes without a value stay expressions in the output, instead of an error; text that looks like one stays escaped. */
  readonly partial?: boolean | undefined;
  /** Escaped expressions and insert keys stay escaped: the output is a template again. */
  readonly preserveEscapes?: boolean | undefined;
  /** Nodes marked &temporary or &local stay in the output. */
  readonly preserveTemporary?: boolean | undefined;
}

export interface SpiffExecution {
  /** Begins the message of errors. */
  readonly name: string;
  /** Text is read as YAML. */
  readonly template: unknown;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly files?: Host["files"];
  readonly state?: unknown;
}

export interface SpiffResult {
  /** The first of `outputs`; null without any. */
  readonly output: unknown;
  /** One for each document of a stream, but for those whose root is marked &temporary; undefined for empty documents. */
  readonly outputs: readonly unknown[];
  /** The nodes marked &state; undefined when there are none. A stream of several documents has no state. */
  readonly state: unknown;
  /** With `partial`: the nodes that stayed expressions. */
  readonly unresolved: readonly UnresolvedNode[];
}

export interface Spiff {
  /** Evaluates a template against stubs. Throws SpiffError. */
  merge(merge: SpiffMerge): SpiffResult;
  /** Runs an execution of a blueprint: a template, the state of the last run as its only stub. Throws SpiffError. */
  execute(execution: SpiffExecution): SpiffResult;
  /** Evaluates one document of a data mapping; it has no files and no state. Throws SpiffError. */
  map(document: unknown, bindings: Readonly<Record<string, unknown>>, where: string): unknown;
}

/** The language as a pure function of its inputs: no environment, processes, network or files but the given ones. */
export function createSpiff(options: SpiffOptions = {}): Spiff {
  const { cache = new SpiffCache() } = options;
  const bound = new WeakMap<object, MapValue>();
  const merge = (request: SpiffMerge): SpiffResult => {
    const features = new Set(request.features ?? options.features ?? []);
    return mergeDocuments(request, options, { features, bound, ...cache.parsedTexts(features) });
  };
  return {
    merge,
    execute: (execution) => execute(execution, merge),
    map: (data, bindings, where) => merge({ template: { name: where, data }, bindings }).output,
  };
}

function execute(execution: SpiffExecution, merge: Spiff["merge"]): SpiffResult {
  const { name, template, bindings, files, state } = execution;
  const stubs = state === undefined || state === null ? [] : [{ name: "state", data: state }];
  const document: SpiffDocument =
    typeof template === "string" ? { name: "template", text: template } : { name: "template", data: template };
  try {
    return merge({ template: document, stubs, bindings, files });
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const { message, nodes, safeMessage, place } = error;
    throw new SpiffError(`${name}: ${message}`, nodes, { safeMessage: `${name}: ${safeMessage}`, place });
  }
}
