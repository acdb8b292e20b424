import { toWellFormed } from "@landscaper/golang";
import { documentText } from "../document/parsed-expression.ts";
import type { Source } from "../document/source.ts";
import type { Value } from "../value/value.ts";
import { printLambdaValue } from "../evaluate/lambda.ts";

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
      return sourceToPlain(value.source, !value.isUnresolved, true);
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

/** The text of a part of a document: as printed at the top, and as written below. */
function sourceToPlain(source: Source, isTemplate: boolean, isTop = false): unknown {
  switch (source.kind) {
    case "scalar":
      return toPlain(source.value);
    case "expression":
      return isTop ? documentText(source.parsed) : `((${source.parsed.text}))`;
    case "list": {
      const items = source.items.map(({ source: item, isInsert }) =>
        isInsert ? { "<<": sourceToPlain(item, false) } : sourceToPlain(item, false),
      );
      return isTemplate ? [{ "<<": "(( &template ))" }, ...items] : items;
    }
    case "control": {
      const head = isTemplate ? [["<<", "(( &template ))"] as const] : [];
      const options = [...source.options].map(([name, option]) => [`<<${name}`, sourceToPlain(option, false)] as const);
      const fields = [...source.entries].map(([key, entry]) => [key, sourceToPlain(entry, false)] as const);
      return fromEntries([...head, ...options, ...fields]);
    }
    case "map": {
      const entries = [...source.entries].map(([key, entry]) => [key, sourceToPlain(entry, false)] as const);
      const insert =
        source.insert === undefined ? [] : [[source.insertKey, sourceToPlain(source.insert, false)] as const];
      const head = isTemplate ? [["<<", "(( &template ))"] as const] : insert;
      return fromEntries([...head, ...entries]);
    }
  }
}
