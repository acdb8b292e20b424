import { writtenText } from "../../document/parsed-expression.ts";
import type { ListItem } from "../../document/source.ts";

/** The text of an expression that gives a key: until it is evaluated, the entry goes by that. */
function keyText({ source }: ListItem, keyField: string | undefined): string | undefined {
  const key = source.kind === "map" && keyField !== "" ? source.entries.get(keyField ?? "name") : undefined;
  return key?.kind === "expression" ? writtenText(key.parsed) : undefined;
}

/** The key of an entry as the document writes it: text, or the text of an expression. */
export function writtenKey(item: ListItem, keyField: string | undefined): string | undefined {
  return entryName(item, keyField) ?? keyText(item, keyField);
}

/** The steps of entries by their keys as the document writes them. */
export function writtenSteps(
  items: readonly ListItem[],
  keyField: string | undefined,
): readonly (string | undefined)[] {
  const field = keyField ?? "name";
  const own = items.filter(({ isInsert }) => !isInsert);
  const names = own.map((item) => entryName(item, keyField));
  const texts = own.map((item) => keyText(item, keyField));
  if (own.some((_, index) => names[index] === undefined && texts[index] === undefined)) return [];
  const written = names.map((name, index) => name ?? texts[index]);
  if (new Set(written).size < written.length) return [];
  const steps = names.map((name, index) => `${field}:${name ?? texts[index] ?? ""}`);
  if (own.length === items.length) return steps;
  return items.map((item) => steps[own.indexOf(item)]);
}

/** The key value of a list entry, where the document writes it as text. */
export function entryName({ source, isInsert }: ListItem, keyField: string | undefined): string | undefined {
  if (isInsert || source.kind !== "map" || keyField === "") return undefined;
  const key = source.entries.get(keyField ?? "name");
  return key?.kind === "scalar" && typeof key.value === "string" ? key.value : undefined;
}

/** A map whose fields are known one step later than those of other maps. */
export function isInserting({ source }: ListItem): boolean {
  return source.kind === "map" && source.insertKey !== "";
}

/** A map with nothing but markers at its insert key. */
export function isMarked({ source }: ListItem): boolean {
  return source.kind === "map" && source.insertKey !== "" && source.insert === undefined;
}

/** All entries have keys, or may have them, but not all of them are text of the document. */
export function isNamedOnceEvaluated(items: readonly ListItem[], keyField: string | undefined): boolean {
  return (
    items.some((item) => isKeyOpen(item, keyField)) &&
    items.every((item) => isKeyOpen(item, keyField) || entryName(item, keyField) !== undefined)
  );
}

function isKeyOpen({ source }: ListItem, keyField: string | undefined): boolean {
  return (
    source.kind === "map" &&
    keyField !== "" &&
    (source.insert !== undefined || source.entries.get(keyField ?? "name")?.kind === "expression")
  );
}
