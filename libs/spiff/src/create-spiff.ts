import { SourceBuilder } from "./document/build-source.ts";
import type { Markers } from "./document/markers.ts";
import { readYaml } from "./document/read-yaml.ts";
import type { Source } from "./document/source.ts";
import { Budget, type BudgetLimits } from "./evaluate/budget.ts";
import type { DocumentRun, Host } from "./evaluate/environment.ts";
import { evaluateDocument } from "./evaluate/evaluate-document.ts";
import { createFunctions, type PlainFunction } from "./functions/create-functions.ts";
import { cleanTree, stateTree } from "./output/clean-tree.ts";
import { SpiffError } from "./spiff-error.ts";
import { toPlain } from "./output/to-plain.ts";
import { entriesOf, fromPlain, type NumberMode } from "./value/from-plain.ts";
import { completeMap } from "./value/build-value.ts";
import type { MapValue, Value } from "./value/value.ts";
import { Cell } from "./value/cell.ts";

export interface SpiffOptions {
  /** "original": numbers of bindings stay floats, as Landscaper's Go code has them (spiff.md §1.2). Default "integers". */
  readonly numbers?: NumberMode | undefined;
  readonly limits?: BudgetLimits | undefined;
  /** Milliseconds of a steady clock, for the time limit; without it time is not limited. */
  readonly now?: (() => number) | undefined;
  /** Random bytes, for rand() and keys; without it these functions fail. */
  readonly random?: Host["random"];
  /** More functions, on plain data; they win over functions of the language. */
  readonly functions?: Readonly<Record<string, PlainFunction>> | undefined;
}

/** A document: YAML text, or data. Text in it that looks like an expression is one. */
export type SpiffDocument =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly data: unknown };

export interface SpiffMerge {
  readonly template: SpiffDocument;
  /** Nearest first, as on the command line of the original. */
  readonly stubs?: readonly SpiffDocument[] | undefined;
  /** Values around the document. They are data: text in them is never evaluated. */
  readonly bindings?: Readonly<Record<string, unknown>> | undefined;
  readonly files?: Host["files"];
  readonly functions?: Readonly<Record<string, PlainFunction>> | undefined;
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
  readonly output: unknown;
  /** The nodes marked &state; undefined when there are none. */
  readonly state: unknown;
}

export interface Spiff {
  /** Evaluates a template against stubs. Throws SpiffError. */
  merge(merge: SpiffMerge): SpiffResult;
  /** Runs an execution of a blueprint: a template, the state of the last run as its only stub (spiff.md §1). Throws SpiffError. */
  execute(execution: SpiffExecution): SpiffResult;
  /** Evaluates one document of a data mapping; it has no files and no state. */
  map(document: unknown, bindings: Readonly<Record<string, unknown>>, where: string): unknown;
}

/** The language as a pure function of its inputs: no environment, processes, network or files but the given ones. */
export function createSpiff(options: SpiffOptions = {}): Spiff {
  const sources = new SourceBuilder();
  const merge = (request: SpiffMerge): SpiffResult => mergeDocuments(request, options, sources);
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
    throw new SpiffError(`${name}: ${error.message}`, error.nodes);
  }
}

function mergeDocuments(request: SpiffMerge, options: SpiffOptions, sources: SourceBuilder): SpiffResult {
  const common = {
    bindings: bind(request.bindings ?? {}, options.numbers ?? "integers"),
    budget: new Budget(options.limits ?? {}, options.now),
    nesting: { nested: 0 },
    functions: createFunctions({ ...options.functions, ...request.functions }),
    sources,
    tags: new Map<string, Cell>(),
    features: new Set<string>(),
    host: { files: request.files, random: options.random },
  };
  const run = (document: SpiffDocument, stubs: readonly Value[]): Value => {
    const state: DocumentRun = { ...common, name: document.name, root: undefined, stubs };
    return evaluateDocument(sourceOf(document, sources), state);
  };
  const stubs: Value[] = [];
  for (const stub of (request.stubs ?? []).toReversed()) stubs.unshift(cleanTree(run(stub, stubs), isLocal));
  const value = cleanTree(run(request.template, stubs), isLocal);
  const state = stateTree(value);
  const output = cleanTree(value, (markers) => markers.isTemporary);
  return { output: toPlain(output), state: state === undefined ? undefined : toPlain(state) };
}

function isLocal(markers: Markers): boolean {
  return markers.isLocal;
}

function sourceOf(document: SpiffDocument, sources: SourceBuilder): Source {
  return sources.build("text" in document ? readYaml(document.text, document.name) : document.data);
}

function bind(bindings: Readonly<Record<string, unknown>>, numbers: NumberMode): MapValue {
  return completeMap(
    new Map(entriesOf(bindings).map(([key, value]) => [key, new Cell(fromPlain(value, numbers))] as const)),
  );
}
