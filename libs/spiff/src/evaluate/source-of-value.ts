import { escapeInsertKey } from "../output/escape-tree.ts";
import type { ListItem, Source } from "../document/source.ts";
import type { Value } from "../value/value.ts";

const plain = { markers: undefined, at: undefined, definesTags: false } as const;

/** A complete value as a document: text in it stays text, whatever it looks like. */
export function sourceOfValue(value: Value): Source {
  if (typeof value !== "object" || value === null) return { kind: "scalar", value, markers: undefined };
  if (value.kind === "list") {
    const items = value.items.map((cell): ListItem => ({ source: sourceOfValue(cell.value), isInsert: false }));
    return { kind: "list", items, keyField: value.keyField, constant: value, written: undefined, ...plain };
  }
  if (value.kind !== "map") return { kind: "scalar", value, markers: undefined };
  const entries = new Map([...value.cells].map(([key, cell]) => [key, sourceOfValue(cell.value)] as const));
  const noInsertion = { insert: undefined, insertKey: "", insertText: undefined, problem: undefined } as const;
  // As text, it is a document in which keys must stay keys.
  const odd = [...entries.keys()].filter((key) => key.startsWith("<<"));
  const writtenKeys = odd.length === 0 ? undefined : new Map(odd.map((key) => [key, escapeInsertKey(key)]));
  return { kind: "map", entries, ...noInsertion, writtenKeys, constant: value, ...plain };
}
