import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { SpiffFeature } from "../create-spiff.ts";
import type { Value } from "../value/value.ts";

/** A complete value in which text that looks like an expression, and keys that look like insertions or controls, are escaped. */
export function escapeTree(value: Value, features: ReadonlySet<SpiffFeature>): Value {
  const escapeText = features.has("interpolation") ? escapeEmbedded : escapeWhole;
  const escapeKey = features.has("control") ? escapeControlKey : escapeInsertKey;
  const escapeCell = (cell: Cell): Cell => new Cell(escape(cell.value));
  const escape = (item: Value): Value => {
    if (typeof item === "string") return escapeText(item);
    if (typeof item !== "object" || item === null) return item;
    if (item.kind === "list") return completeList(item.items.map(escapeCell), item.keyField);
    if (item.kind !== "map") return item;
    return completeMap(new Map([...item.cells].map(([key, cell]) => [escapeKey(key), escapeCell(cell)] as const)));
  };
  return escape(value);
}

function escapeWhole(text: string): string {
  return text.startsWith("((") && text.endsWith("))") && text.length > 3 ? `((!${text.slice(2)}` : text;
}

function escapeEmbedded(text: string): string {
  return text.includes("))") ? text.replaceAll("((", "((!") : text;
}

function escapeControlKey(key: string): string {
  return key.startsWith("<<") ? key.replace(/^<<(?:<(?=!*$))?/, "$&!") : key;
}

/** Without controls, other keys that begin with `<<` are keys like all others, but not escapes. */
export function escapeInsertKey(key: string): string {
  return /^<<(?:<?!*$|!)/.test(key) ? escapeControlKey(key) : key;
}
