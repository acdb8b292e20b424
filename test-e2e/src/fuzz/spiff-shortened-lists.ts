import { documentsIn, isSameResult, type CompareAgain, type DifferentCase } from "./spiff-failures.ts";
import { agreesOutside, type Place } from "./agrees-outside.ts";
import { markOf } from "./spiff-list-differences.ts";

/**
 * Beside an undefined entry, two entries have one key once that is known: they go by their places before that entry has left, in the original
 * behind it. The engines agree outside of such lists, and everywhere without the undefined entries.
 */
export function isAboutEqualNames(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = [item.template, ...item.stubs]
    .flatMap(documentsIn)
    .flatMap((document) => shortenedLists(document, []));
  if (!agreesOutside(difference, places)) return false;
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(withoutUndefined(document)))
      .join("\n---\n");
  return isSameResult(compareAgain({ ...item, template: without(item.template), stubs: item.stubs.map(without) }));
}

function shortenedLists(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return isShortenedList(node) ? [place] : [];
  return Object.entries(node).flatMap(([key, child]) => shortenedLists(child, [...place, key]));
}

function isUndefinedEntry(entry: unknown): boolean {
  return typeof entry === "object" && /^\(\( (?:&\S+ )*\(? ?~~/.test(String(markOf(entry)));
}

/** Of which two other entries have or can get one key. */
function isShortenedList(list: readonly unknown[]): boolean {
  const names = list.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "name" in entry ? [String(entry.name)] : [],
  );
  const isOpen = names.length > 1 && names.some((name) => name.startsWith("(("));
  return list.some(isUndefinedEntry) && (isOpen || new Set(names).size < names.length);
}

function withoutUndefined(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (!Array.isArray(node)) {
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutUndefined(child)]));
  }
  const kept: readonly unknown[] = isShortenedList(node) ? node.filter((entry) => !isUndefinedEntry(entry)) : node;
  return kept.map(withoutUndefined);
}
