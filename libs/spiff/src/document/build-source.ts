import type { YamlNode } from "@landscaper/goyaml";
import type { SpiffFeature } from "../create-spiff.ts";
import { buildControl, isControlKey } from "./control-source.ts";
import { maxDocumentDepth, type DocumentForm, type Entry, type Place } from "./document-form.ts";
import { interpolate } from "./interpolation.ts";
import { takeKeyField } from "./key-field.ts";
import { constantList, constantMap } from "./constant.ts";
import { joinMarkers, parseMarkers, type Markers } from "./markers.ts";
import { readExpression, writtenText, type ParsedExpression } from "./parsed-expression.ts";
import { plainForm } from "./plain-form.ts";
import {
  definesTags,
  type ControlSource,
  type InsertKey,
  type ExpressionSource,
  type ListItem,
  type ListSource,
  type MapSource,
  type ScalarSource,
  type Source,
} from "./source.ts";

const maxCached = 5000;

/** Makes sources of documents; expressions are parsed once per text. */
export class SourceBuilder {
  readonly #parsed = new Map<string, ParsedExpression>();
  readonly #hasControls: boolean;
  readonly #hasInterpolation: boolean;
  #depth = 0;

  constructor(features: ReadonlySet<SpiffFeature> = new Set()) {
    this.#hasControls = features.has("control");
    this.#hasInterpolation = features.has("interpolation");
  }

  /** Plain data: objects or Maps, arrays, scalars; whole numbers are ints. */
  build(plain: unknown): Source {
    this.#depth = 0;
    return this.#build(plain, plainForm);
  }

  buildYaml(root: YamlNode, form: DocumentForm<YamlNode>): Source {
    this.#depth = 0;
    return this.#build(root, form);
  }

  #build<T>(node: T, form: DocumentForm<T>): Source {
    const shape = form.read(node);
    switch (shape.kind) {
      case "scalar":
        return typeof shape.value === "string"
          ? this.#buildText(shape.value, form.placeOf(node))
          : { kind: "scalar", value: shape.value, markers: undefined };
      case "list": {
        this.#descend(node, form);
        const source = this.#buildList(shape.items, { form, at: form.placeOf(node) });
        this.#depth--;
        return source;
      }
      case "map": {
        this.#descend(node, form);
        const source = this.#buildMap(shape.entries, { form, at: form.placeOf(node) });
        this.#depth--;
        return source;
      }
    }
  }

  #descend<T>(node: T, form: DocumentForm<T>): void {
    if (++this.#depth > maxDocumentDepth) form.failDeep(node);
  }

  #buildText(text: string, at: Place | undefined): ScalarSource | ExpressionSource {
    if (!text.startsWith("((") || !text.endsWith("))") || text.length < 4) {
      if (this.#hasInterpolation && text.includes("((")) return this.#buildInterpolated(text, at);
      return { kind: "scalar", value: text, markers: undefined };
    }
    if (text.charAt(2) === "!") {
      return { kind: "scalar", value: `((${text.slice(3)}`, markers: undefined, written: text };
    }
    const parsed = this.#parsed.get(text) ?? this.#remember(text, readExpression(text.slice(2, -2)));
    return { kind: "expression", parsed, markers: parsed.markers, at };
  }

  /** What does not parse is text. */
  #buildInterpolated(text: string, at: Place | undefined): ScalarSource | ExpressionSource {
    const known = this.#parsed.get(text);
    if (known !== undefined) return { kind: "expression", parsed: known, markers: known.markers, at };
    const found = interpolate(text);
    if ("text" in found) return { kind: "scalar", value: found.text, markers: undefined, written: text };
    const parsed = readExpression(found.expression);
    if (parsed.problem !== undefined) return { kind: "scalar", value: text, markers: undefined };
    const remembered = this.#remember(text, { ...parsed, written: text });
    return { kind: "expression", parsed: remembered, markers: parsed.markers, at };
  }

  #remember(text: string, parsed: ParsedExpression): ParsedExpression {
    if (this.#parsed.size >= maxCached) this.#parsed.clear();
    this.#parsed.set(text, parsed);
    return parsed;
  }

  #buildList<T>(nodes: readonly T[], { form, at }: Surroundings<T>): ListSource {
    const items: ListItem[] = [];
    const entries: Source[] = [];
    let markers: Markers | undefined;
    for (const node of nodes) {
      const source = this.#build(node, form);
      entries.push(source);
      if (source.kind !== "map" || !isInsertion(source)) {
        items.push({ source, isInsert: false });
        continue;
      }
      markers = joinMarkers(markers, source.markers);
      if (source.insert !== undefined) {
        items.push({ source: source.insert, isInsert: true, insertKey: source.insertKey });
      }
    }
    const { keyField, items: unkeyed } = takeKeyField(items);
    const constant = markers === undefined ? constantList(unkeyed, keyField) : undefined;
    const hasTags = items.some(({ source }) => definesTags(source)) || hasTag(markers);
    const isAsWritten = unkeyed === items && items.length === entries.length && items.every((item) => !item.isInsert);
    const written = isAsWritten ? undefined : entries;
    return { kind: "list", items: unkeyed, keyField, markers, constant, at, definesTags: hasTags, written };
  }

  #buildMap<T>(nodes: readonly Entry<T>[], { form, at }: Surroundings<T>): MapSource | ControlSource {
    if (this.#hasControls && nodes.some(({ key }) => isControlKey(key))) return this.#buildControl(nodes, { form, at });
    const entries = new Map<string, Source>();
    let insert: Source | undefined;
    let insertKey = "";
    let insertText: string | undefined;
    let markers: Markers | undefined;
    let problem: string | undefined;
    let writtenKeys: Map<string, string> | undefined;
    let hasTags = false;
    for (const { key, value } of nodes) {
      const source = this.#build(value, form);
      if (definesTags(source)) hasTags = true;
      if (isEscapedKey(key)) {
        const name = key.replace("!", "");
        (writtenKeys ??= new Map()).set(name, key);
        entries.set(name, source);
        continue;
      }
      if (key !== "<<" && key !== "<<<") {
        entries.set(key, key === "<<do" || key === "<<mapkey" ? asTemplate(source) : source);
        continue;
      }
      if (insertKey !== "") problem = "multiple merge keys not allowed";
      insertKey = key;
      insertText = textOf(source);
      ({ markers } = source);
      insert = isMarkersOnly(source) ? undefined : withoutTemplate(source);
    }
    const constant = insertKey === "" ? constantMap(entries) : undefined;
    const written = { insertKey, insertText, writtenKeys };
    return { kind: "map", entries, insert, ...written, markers, problem, constant, at, definesTags: hasTags };
  }

  /** An insert key of a control says nothing but its markers. */
  #buildControl<T>(nodes: readonly Entry<T>[], { form, at }: Surroundings<T>): ControlSource {
    const options = new Map<string, Source>();
    const entries = new Map<string, Source>();
    let markers: Markers | undefined;
    let written: InsertKey = { insertKey: "", insertText: undefined };
    let hasTags = false;
    for (const { key, value } of nodes) {
      const source = this.#build(value, form);
      if (definesTags(source)) hasTags = true;
      if (isControlKey(key)) options.set(key.slice(2), source);
      else if (key === "<<" || key === "<<<") {
        ({ markers } = source);
        written = { insertKey: key, insertText: textOf(source) };
      } else entries.set(key, source);
    }
    return buildControl({ options, entries, markers, at, definesTags: hasTags, ...written });
  }
}

/** `<<!`, `<<<!` and `<<!if` are the keys `<<`, `<<<` and `<<if` of fields. */
function isEscapedKey(key: string): boolean {
  return key.startsWith("<<!") || /^<<<!+$/.test(key);
}

interface Surroundings<T> {
  readonly form: DocumentForm<T>;
  readonly at: Place | undefined;
}

function hasTag(markers: Markers | undefined): boolean {
  return markers !== undefined && markers.tags.length > 0;
}

/** Without controls, a map that would be the body of a loop is a template all the same. */
function asTemplate(source: Source): Source {
  if (source.kind !== "map" || source.problem !== undefined) return source;
  return { ...source, markers: joinMarkers(source.markers, parseMarkers(["template"])) };
}

/** A list entry that is nothing but an insert key. */
function isInsertion({ entries, insertKey, problem }: MapSource): boolean {
  return entries.size === 0 && insertKey !== "" && problem === undefined;
}

function isMarkersOnly(source: Source): boolean {
  return source.kind === "expression" && source.parsed.expression === undefined && source.parsed.problem === undefined;
}

function textOf(source: Source): string | undefined {
  return source.kind === "expression" ? writtenText(source.parsed) : undefined;
}

/** An insertion belongs to the template that its map is; it is none itself, but the expression in parentheses. */
function withoutTemplate(source: Source): Source {
  if (source.kind !== "expression" || source.markers?.isTemplate !== true) return source;
  const { parsed } = source;
  const { expression } = parsed;
  if (expression === undefined) return { ...source, markers: undefined };
  const inner = { kind: "group", inner: expression } as const;
  return { ...source, parsed: { ...parsed, expression: inner, whole: inner, markers: undefined }, markers: undefined };
}
