import type { ListItem, Source } from "../document/source.ts";
import type { Value } from "../value/value.ts";

/** A complete value as a document: text in it stays text, whatever it looks like. */
export function sourceOfValue(value: Value): Source {
  if (typeof value !== "object" || value === null) return { kind: "scalar", value, markers: undefined };
  if (value.kind === "list") {
    const items = value.items.map((cell): ListItem => ({ source: sourceOfValue(cell.value), isInsert: false }));
    return { kind: "list", items, keyField: value.keyField, markers: undefined, constant: value };
  }
  if (value.kind !== "map") return { kind: "scalar", value, markers: undefined };
  const entries = new Map([...value.cells].map(([key, cell]) => [key, sourceOfValue(cell.value)] as const));
  const plain = { insert: undefined, insertKey: "", markers: undefined, problem: undefined } as const;
  return { kind: "map", entries, ...plain, constant: value };
}
