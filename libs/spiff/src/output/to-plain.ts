import { toWellFormed } from "@landscaper/golang";
import { documentText, writtenText } from "../document/parsed-expression.ts";
import type { ControlSource, MapSource, Source } from "../document/source.ts";
import type { TemplateValue, Value } from "../value/value.ts";
import { printLambdaValue } from "./print-lambda-value.ts";

/**
 * A value as plain data: ints that a number holds exactly are numbers, larger ones bigint. Bytes that are no UTF-8 become
 * U+FFFD.
 */
export function toPlain(value: Value): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  switch (value.kind) {
    case "undefined":
      return null;
    case "list":
      return value.items.map((cell) => toPlain(cell.value));
    case "map":
      return fromEntries([...value.cells].map(([key, cell]) => [key, toPlain(cell.value)] as const));
    case "template":
      return templateToPlain(value);
    case "lambda":
      return `(( ${printLambdaValue(value)} ))`;
  }
}

/** An object that may also have a key __proto__. */
export function fromEntries(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (key === "__proto__") {
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    } else object[key] = value;
  }
  return object;
}

/** A part of a document as it is written; an expression at the top as printed. */
function sourceToPlain(source: Source, isTop = false): unknown {
  switch (source.kind) {
    case "scalar":
      return source.written ?? toPlain(source.value);
    case "expression":
      return isTop ? documentText(source.parsed) : writtenText(source.parsed);
    case "list":
      if (source.written !== undefined) return source.written.map((entry) => sourceToPlain(entry));
      return source.items.map((item) => sourceToPlain(item.source));
    case "control": {
      const options = [...source.options].map(([name, option]) => [`<<${name}`, sourceToPlain(option)] as const);
      return fromEntries([...insertionOf(source), ...options, ...entriesToPlain(source)]);
    }
    case "map":
      return fromEntries([...insertionOf(source), ...entriesToPlain(source)]);
  }
}

function entriesToPlain(source: MapSource | ControlSource): (readonly [string, unknown])[] {
  const writtenKeys = source.kind === "map" ? source.writtenKeys : undefined;
  return [...source.entries].map(([key, entry]) => [writtenKeys?.get(key) ?? key, sourceToPlain(entry)] as const);
}

function insertionOf(source: MapSource | ControlSource): (readonly [string, unknown])[] {
  const { insertKey, insertText } = source;
  if (insertKey === "") return [];
  if (insertText !== undefined) return [[insertKey, insertText]];
  return source.kind === "map" && source.insert !== undefined ? [[insertKey, sourceToPlain(source.insert)]] : [];
}

const templateMark = "(( &template ))";

/** A template as a document can have it: what was read from a file has no marker of its own. */
function templateToPlain({ source, isMarked }: TemplateValue): unknown {
  const plain = sourceToPlain(source, true);
  if (isMarked) return plain;
  if (Array.isArray(plain)) return [{ "<<<": templateMark }, ...plain];
  return source.kind === "map" || source.kind === "control"
    ? fromEntries([["<<<", templateMark], ...Object.entries(plain as object)])
    : plain;
}
