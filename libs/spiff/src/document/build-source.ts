import { parseExpression } from "../syntax/parse-expression.ts";
import { printExpression } from "../syntax/print-expression.ts";
import { SyntaxFailure } from "../syntax/scanner.ts";
import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import { entriesOf, toNumber } from "../value/from-plain.ts";
import type { Value } from "../value/value.ts";
import type { SpiffFeature } from "../create-spiff.ts";
import { interpolate } from "./interpolation.ts";
import { parseMarkers, type Markers } from "./markers.ts";
import { buildControl, isControlKey } from "./control-source.ts";
import type { ControlSource, ExpressionSource, ListItem, ListSource, MapSource, Source } from "./source.ts";

const maxCached = 5000;

/** Makes sources of plain data; expressions are parsed once per text. */
export class SourceBuilder {
  readonly #parsed = new Map<string, ExpressionSource>();
  readonly #features: ReadonlySet<SpiffFeature>;

  constructor(features: ReadonlySet<SpiffFeature> = new Set()) {
    this.#features = features;
  }

  get features(): ReadonlySet<SpiffFeature> {
    return this.#features;
  }

  /** Plain data: objects or Maps, arrays, scalars; whole numbers are ints. */
  build(plain: unknown): Source {
    if (typeof plain === "string") return this.#buildText(plain);
    if (typeof plain === "number") return { kind: "scalar", value: scalarNumber(plain), markers: undefined };
    if (typeof plain === "boolean" || typeof plain === "bigint") {
      return { kind: "scalar", value: plain, markers: undefined };
    }
    if (Array.isArray(plain)) return this.#buildList(plain);
    if (typeof plain === "object" && plain !== null) return this.#buildMap(entriesOf(plain));
    return { kind: "scalar", value: null, markers: undefined };
  }

  #buildText(text: string): Source {
    if (!text.startsWith("((") || !text.endsWith("))") || text.length < 4) {
      const isPlain = !this.#features.has("interpolation") || !text.includes("((");
      return isPlain ? { kind: "scalar", value: text, markers: undefined } : this.#buildInterpolated(text);
    }
    if (text.charAt(2) === "!") return { kind: "scalar", value: `((${text.slice(3)}`, markers: undefined };
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const source = buildExpression(text.slice(2, -2));
    this.#remember(text, source);
    return source;
  }

  /** What does not parse is text. */
  #buildInterpolated(text: string): Source {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const found = interpolate(text);
    if ("text" in found) return { kind: "scalar", value: found.text, markers: undefined };
    const source = buildExpression(found.expression);
    if (source.problem !== undefined) return { kind: "scalar", value: text, markers: undefined };
    this.#remember(text, source);
    return source;
  }

  #remember(text: string, source: ExpressionSource): void {
    if (this.#parsed.size >= maxCached) this.#parsed.clear();
    this.#parsed.set(text, source);
  }

  #buildList(plain: readonly unknown[]): ListSource {
    const items: ListItem[] = [];
    let markers: Markers | undefined;
    for (const item of plain) {
      const inserted = insertedValue(item);
      if (inserted === undefined) {
        items.push({ source: this.build(item), isInsert: false });
        continue;
      }
      const source = this.build(inserted.value);
      if (source.markers !== undefined) markers = source.markers;
      if (!isMarkersOnly(source)) items.push({ source, isInsert: true });
    }
    const { keyField, items: unkeyed } = takeKeyField(items);
    const constant = markers === undefined ? constantList(unkeyed, keyField) : undefined;
    return { kind: "list", items: unkeyed, keyField, markers, constant };
  }

  #buildMap(pairs: readonly (readonly [string, unknown])[]): MapSource | ControlSource {
    if (this.#features.has("control") && pairs.some(([key]) => isControlKey(key))) return this.#buildControl(pairs);
    const entries = new Map<string, Source>();
    let insert: Source | undefined;
    let insertKey = "";
    let markers: Markers | undefined;
    let problem: string | undefined;
    for (const [key, value] of pairs) {
      if (key !== "<<" && key !== "<<<") {
        const isEscaped = key.startsWith("<<") && /^<<<?!+$/.test(key);
        entries.set(isEscaped ? key.replace("!", "") : key, this.build(value));
        continue;
      }
      if (insertKey !== "") problem = "multiple merge keys not allowed";
      insertKey = key;
      const source = this.build(value);
      ({ markers } = source);
      insert = isMarkersOnly(source) ? undefined : withoutTemplate(source);
    }
    const isConstant = insertKey === "" && problem === undefined;
    const constant = isConstant ? constantMap(entries) : undefined;
    return { kind: "map", entries, insert, insertKey, markers, problem, constant };
  }

  /** An insert key of a control says nothing but its markers. */
  #buildControl(pairs: readonly (readonly [string, unknown])[]): ControlSource {
    const options = new Map<string, Source>();
    const entries = new Map<string, Source>();
    let markers: Markers | undefined;
    for (const [key, value] of pairs) {
      const source = this.build(value);
      if (isControlKey(key)) options.set(key.slice(2), source);
      else if (key === "<<" || key === "<<<") ({ markers } = source);
      else entries.set(key, source);
    }
    return buildControl({ options, entries, markers });
  }
}

function scalarNumber(value: number): bigint | number {
  const number = toNumber(value, "integers");
  return typeof number === "bigint" ? number : value;
}

function buildExpression(text: string): ExpressionSource {
  try {
    const parsed = parseExpression(text);
    const printed = `(( ${printExpression(parsed)} ))`;
    const isMerging = mentionsMerge(parsed);
    const base = { kind: "expression", text, printed, isMerging, problem: undefined } as const;
    if (parsed.kind !== "marked") return { ...base, expression: parsed, markers: undefined };
    return { ...base, expression: parsed.inner, markers: parseMarkers(parsed.markers) };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    const printed = `((${text}))`;
    const base = { kind: "expression", text, printed, isMerging: false, markers: undefined } as const;
    return { ...base, expression: undefined, problem: error.message };
  }
}

/** Looks through the parts of an expression, whatever they are called. */
function mentionsMerge(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) return part.some(mentionsMerge);
  if ("kind" in part && (part.kind === "merge" || part.kind === "prefer")) return true;
  return Object.values(part).some(mentionsMerge);
}

function isMarkersOnly(source: Source): boolean {
  return source.kind === "expression" && source.expression === undefined && source.problem === undefined;
}

/** An insertion belongs to the template that its map is; it is none itself. */
function withoutTemplate(source: Source): Source {
  return source.kind === "expression" && source.markers?.isTemplate === true
    ? { ...source, markers: undefined }
    : source;
}

/** The value behind `<<` of a list entry that has nothing else. */
function insertedValue(item: unknown): { readonly value: unknown } | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const pairs = entriesOf(item);
  const [first] = pairs;
  return pairs.length === 1 && first !== undefined && (first[0] === "<<" || first[0] === "<<<")
    ? { value: first[1] }
    : undefined;
}

/** `- key:id: x`: the field id names the entries; the tag is taken off. */
function takeKeyField(items: readonly ListItem[]): { keyField: string | undefined; items: readonly ListItem[] } {
  for (const { source } of items) {
    if (source.kind !== "map") continue;
    const tagged = [...source.entries.keys()].find((key) => key.startsWith("key:"));
    if (tagged === undefined) continue;
    const field = tagged.slice(4);
    const plainItems = items.map((item) => ({ ...item, source: untag(item.source, tagged, field.replace(/^!/, "")) }));
    return { keyField: field.startsWith("!") ? "" : field, items: plainItems };
  }
  return { keyField: undefined, items };
}

function untag(source: Source, tagged: string, field: string): Source {
  if (source.kind !== "map") return source;
  const entries = new Map([...source.entries].map(([key, value]) => [key === tagged ? field : key, value] as const));
  return { ...source, entries, constant: source.constant === undefined ? undefined : constantMap(entries) };
}

function constantOf(source: Source): Value | undefined {
  switch (source.kind) {
    case "scalar":
      return source.value;
    case "expression":
    case "control":
      return undefined;
    case "map":
    case "list":
      return source.constant;
  }
}

function constantMap(entries: ReadonlyMap<string, Source>): MapSource["constant"] {
  const cells = new Map<string, Cell>();
  for (const [key, source] of entries) {
    const value = constantOf(source);
    if (value === undefined) return undefined;
    cells.set(key, new Cell(value));
  }
  return completeMap(cells);
}

function constantList(items: readonly ListItem[], keyField: string | undefined): ListSource["constant"] {
  const cells: Cell[] = [];
  for (const { source, isInsert } of items) {
    const value = isInsert ? undefined : constantOf(source);
    if (value === undefined) return undefined;
    cells.push(new Cell(value));
  }
  return completeList(cells, keyField);
}
