import { parseDocuments, parseOnlyDocument } from "./document/read-yaml.ts";
import type { Source } from "./document/source.ts";
import type { SpiffDocument, SpiffFeature, SpiffMerge, SpiffOptions, SpiffResult } from "./create-spiff.ts";
import { Budget } from "./evaluate/budget.ts";
import { computeCell } from "./evaluate/compute-cell.ts";
import { computeControl } from "./evaluate/control/control.ts";
import type { Engine } from "./evaluate/engine.ts";
import type { DocumentRun } from "./evaluate/environment.ts";
import { BudgetFailure } from "./evaluate/failure.ts";
import { evaluate, evaluateShallow } from "./evaluate/evaluate.ts";
import { evaluateDocument } from "./evaluate/evaluate-document.ts";
import { injectedInPlaceOf } from "./evaluate/merging/injected-fields.ts";
import { instantiateList } from "./evaluate/instantiate-list.ts";
import { mergeFields } from "./evaluate/merging/merge-stubs.ts";
import { TagTable } from "./evaluate/references/tags.ts";
import { createFunctions } from "./functions/create-functions.ts";
import { cleanTree, stateTree } from "./output/clean-tree.ts";
import { escapeTree } from "./output/escape-tree.ts";
import { toPlain } from "./output/to-plain.ts";
import type { ParsedTexts } from "./spiff-cache.ts";
import { inDocument, SpiffError, type UnresolvedNode } from "./spiff-error.ts";
import { completeMap } from "./value/build-value.ts";
import { Cell } from "./value/cell.ts";
import { entriesOf, fromPlain, type NumberMode } from "./value/from-plain.ts";
import { expandedSize } from "./value/expanded-size.ts";
import type { MapValue, Value } from "./value/value.ts";

const engine: Engine = {
  evaluate,
  evaluateShallow,
  computeCell,
  computeControl,
  instantiateList,
  mergeFields,
  injectedInPlaceOf,
};

export interface Language extends ParsedTexts {
  readonly features: ReadonlySet<SpiffFeature>;
  /** Bindings that have been converted, by the object that they were given as. */
  readonly bound: WeakMap<object, MapValue>;
}

/** Evaluates stubs from the farthest to the nearest, then the documents of the template. Throws SpiffError. */
export function mergeDocuments(request: SpiffMerge, options: SpiffOptions, language: Language): SpiffResult {
  const { name } = request.template;
  try {
    const budget = new Budget(options.limits ?? {});
    return budget.content.measure(() => merge(request, { ...options, budget }, language));
  } catch (error) {
    if (error instanceof BudgetFailure) throw new SpiffError(`${name}: ${error.message}`);
    if (error instanceof RangeError) throw new SpiffError(`${name}: the documents or their values nest too deep`);
    throw error;
  }
}

function merge(
  request: SpiffMerge,
  { budget, ...options }: SpiffOptions & { budget: Budget },
  language: Language,
): SpiffResult {
  const unresolved: UnresolvedNode[] = [];
  for (const document of [request.template, ...(request.stubs ?? [])]) {
    if ("text" in document) budget.chargeDocument(document.text);
  }
  const common = {
    ...language,
    bindings: bind(request.bindings ?? {}, options.numbers ?? "integers", language.bound),
    budget,
    engine,
    nesting: { nested: 0 },
    functions: createFunctions({ ...options.functions, ...request.functions }),
    host: { files: request.files, random: options.random, clock: options.clock, createKey: options.createKey },
    unresolved: request.partial === true ? unresolved : undefined,
  };
  const tags = new TagTable();
  for (const [name, value] of Object.entries(request.tags ?? {})) {
    tags.add(name, { cell: new Cell(fromPlain(value, "integers")), isGlobal: true, path: "" });
  }
  const run = (document: Pick<DocumentRun, "name" | "stubs" | "tags">, source: Source): Value =>
    evaluateDocument(source, { ...common, ...document, root: undefined });
  const stubs: Value[] = [];
  for (const stub of (request.stubs ?? []).toReversed()) {
    tags.beginLevel();
    const value = run({ name: stub.name, stubs: [...stubs], tags }, sourceOf(stub, { parsed: language, kind: "stub" }));
    stubs.unshift(cleanTree(value, ({ isLocal }) => isLocal));
  }
  tags.beginLevel();
  const documents = sourcesOf(request, language);
  const values = documents.map((source, index) => {
    const evaluateOne = (): Value => run({ name: request.template.name, stubs, tags }, source);
    const value = documents.length === 1 ? evaluateOne() : inDocument(index + 1, evaluateOne);
    tags.endDocument(new Cell(value));
    return { source, value };
  });
  // An incomplete output is a template again: everything that it needs stays.
  const isIncomplete = unresolved.length > 0;
  const keepsTemporary = isIncomplete || request.preserveTemporary === true;
  const keepsEscapes = isIncomplete || request.preserveEscapes === true;
  const clean = (value: Value): Value =>
    keepsTemporary ? value : cleanTree(value, ({ isTemporary, isLocal }) => isTemporary || isLocal);
  const print = (value: Value): unknown => {
    const cleaned = clean(value);
    budget.charge(expandedSize(cleaned));
    return toPlain(keepsEscapes ? escapeTree(cleaned, language.features) : cleaned);
  };
  const [first] = values;
  const state = values.length === 1 && first !== undefined ? stateTree(clean(first.value)) : undefined;
  if (state !== undefined) budget.charge(expandedSize(state));
  const outputs = values
    .filter(({ source }) => keepsTemporary || source.markers?.isTemporary !== true)
    .map(({ source, value }) => (isEmpty(source) ? undefined : print(value)));
  return {
    output: outputs[0] ?? null,
    outputs,
    // A document of the next run, in which text must stay text.
    state: state === undefined ? undefined : toPlain(escapeTree(state, language.features)),
    unresolved,
  };
}

function isEmpty(source: Source): boolean {
  return source.kind === "scalar" && source.value === null;
}

function sourcesOf({ template, isStream }: SpiffMerge, parsed: ParsedTexts): Source[] {
  if (isStream !== true || !("text" in template)) return [sourceOf(template, { parsed, kind: "template" })];
  const { roots, form } = parseDocuments(template.text, template.name);
  return roots.map((root) => parsed.sources.buildYaml(root, form));
}

function sourceOf(
  document: SpiffDocument,
  { parsed, kind }: { readonly parsed: ParsedTexts; readonly kind: "template" | "stub" },
): Source {
  const { sources, documents } = parsed;
  if (!("text" in document)) return sources.build(document.data);
  const known = documents.get(document.text);
  if (known !== undefined) return known;
  const { roots, form } = parseOnlyDocument(document.text, document.name, kind);
  const [root] = roots;
  const source = root === undefined ? sources.build(null) : sources.buildYaml(root, form);
  documents.set(document.text, source);
  return source;
}

function bind(
  bindings: Readonly<Record<string, unknown>>,
  numbers: NumberMode,
  bound: WeakMap<object, MapValue>,
): MapValue {
  const known = bound.get(bindings);
  if (known !== undefined) return known;
  const value = completeMap(
    new Map(entriesOf(bindings).map(([key, item]) => [key, new Cell(fromPlain(item, numbers))] as const)),
  );
  bound.set(bindings, value);
  return value;
}
