import type { SourceBuilder } from "./document/build-source.ts";
import type { Markers } from "./document/markers.ts";
import { readAllYaml, readYaml } from "./document/read-yaml.ts";
import type { Source } from "./document/source.ts";
import type { SpiffDocument, SpiffFeature, SpiffMerge, SpiffOptions, SpiffResult } from "./create-spiff.ts";
import { Budget } from "./evaluate/budget.ts";
import type { DocumentRun } from "./evaluate/environment.ts";
import { evaluateDocument } from "./evaluate/evaluate-document.ts";
import { TagTable } from "./evaluate/tags.ts";
import { createFunctions } from "./functions/create-functions.ts";
import { cleanTree, stateTree } from "./output/clean-tree.ts";
import { escapeTree } from "./output/escape-tree.ts";
import { toPlain } from "./output/to-plain.ts";
import type { UnresolvedNode } from "./spiff-error.ts";
import { completeMap } from "./value/build-value.ts";
import { Cell } from "./value/cell.ts";
import { entriesOf, fromPlain, type NumberMode } from "./value/from-plain.ts";
import type { MapValue, Value } from "./value/value.ts";

export interface Language {
  readonly features: ReadonlySet<SpiffFeature>;
  readonly sources: SourceBuilder;
}

/** Evaluates stubs from the farthest to the nearest, then the documents of the template. Throws SpiffError. */
export function mergeDocuments(request: SpiffMerge, options: SpiffOptions, language: Language): SpiffResult {
  const unresolved: UnresolvedNode[] = [];
  const common = {
    ...language,
    bindings: bind(request.bindings ?? {}, options.numbers ?? "integers"),
    budget: new Budget(options.limits ?? {}, options.now),
    nesting: { nested: 0 },
    functions: createFunctions({ ...options.functions, ...request.functions }),
    host: { files: request.files, random: options.random },
    unresolved: request.partial === true ? unresolved : undefined,
  };
  const tags = new TagTable();
  for (const [name, value] of Object.entries(request.tags ?? {})) {
    tags.add(name, { cell: new Cell(fromPlain(value, "integers")), isGlobal: true, path: "" });
  }
  const run = (document: Pick<DocumentRun, "name" | "stubs" | "tags">, source: Source): Value =>
    cleanTree(evaluateDocument(source, { ...common, ...document, root: undefined }), isLocalDropped(request));
  const stubs: Value[] = [];
  for (const stub of (request.stubs ?? []).toReversed()) {
    tags.beginLevel();
    stubs.unshift(run({ name: stub.name, stubs, tags }, sourceOf(stub, language.sources)));
  }
  tags.beginLevel();
  const documents = sourcesOf(request, language.sources);
  const values = documents.map((source) => {
    const value = run({ name: request.template.name, stubs, tags }, source);
    tags.endDocument(new Cell(value));
    return { source, value };
  });
  const [first] = values;
  const state = values.length === 1 && first !== undefined ? stateTree(first.value) : undefined;
  const outputs = values
    .filter(({ source }) => isPrinted(source, request))
    .map(({ value }) => toPlain(printed(value, request)));
  return {
    output: outputs[0] ?? null,
    outputs,
    // A document of the next run, in which text must stay text.
    state: state === undefined ? undefined : toPlain(escapeTree(state)),
    unresolved,
  };
}

function isLocalDropped(request: SpiffMerge): (markers: Markers) => boolean {
  return request.partial === true || request.preserveTemporary === true ? () => false : ({ isLocal }) => isLocal;
}

/** A document whose root is temporary only serves those behind it. */
function isPrinted(source: Source, request: SpiffMerge): boolean {
  return source.markers?.isTemporary !== true || request.preserveTemporary === true;
}

function printed(value: Value, request: SpiffMerge): Value {
  const keepsTemporary = request.partial === true || request.preserveTemporary === true;
  const cleaned = keepsTemporary ? value : cleanTree(value, (markers) => markers.isTemporary);
  return request.partial === true || request.preserveEscapes === true ? escapeTree(cleaned) : cleaned;
}

function sourcesOf({ template, isStream }: SpiffMerge, sources: SourceBuilder): Source[] {
  if (isStream !== true || !("text" in template)) return [sourceOf(template, sources)];
  return readAllYaml(template.text, template.name).map((document) => sources.build(document));
}

function sourceOf(document: SpiffDocument, sources: SourceBuilder): Source {
  return sources.build("text" in document ? readYaml(document.text, document.name) : document.data);
}

function bind(bindings: Readonly<Record<string, unknown>>, numbers: NumberMode): MapValue {
  return completeMap(
    new Map(entriesOf(bindings).map(([key, value]) => [key, new Cell(fromPlain(value, numbers))] as const)),
  );
}
