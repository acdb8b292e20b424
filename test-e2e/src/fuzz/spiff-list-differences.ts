import type { GoldenCase } from "@landscaper/spiff/testing";
import { agreesOutside, type Place } from "./agrees-outside.ts";
import { documentsIn, isSameResult, type CompareAgain, type DifferentCase } from "./spiff-failures.ts";

const injecting = /"\(\( (?:&\S+ )*&(?:inject|default)\b/;

/**
 * In the original, a list that a stub marks entries of has these once more where it takes the place of another value, and its
 * entries take values of the places that they had before. The engines agree outside of such lists, and everywhere when the
 * entries have other markers.
 */
export function isAboutTakenLists(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = item.stubs.flatMap((stub) => documentsIn(stub)).flatMap((stub) => markedLists(stub, []));
  return agreesOutside(difference, places) && isSameResult(compareAgain(withoutInjection(item)));
}

/** The outermost lists with marked entries in them. */
function markedLists(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return isMarked(node) ? [place] : [];
  const isControl = Object.keys(node).some((key) => /^<<[a-z]/.test(key));
  // What a control gives stands in its place.
  if (isControl) return Object.values(node).some(isMarked) ? [place] : [];
  return Object.entries(node).flatMap(([key, child]) => markedLists(child, [...place, key]));
}

function isMarked(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const marks = Array.isArray(node) ? node.map((entry: unknown) => markOf(entry)) : [];
  return marks.some((mark) => injecting.test(JSON.stringify(mark))) || Object.values(node).some(isMarked);
}

/** The text that marks an entry. */
function markOf(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const { "<<": short, "<<<": long } = entry as Readonly<Record<string, unknown>>;
  return short ?? long ?? "";
}

/** The case with a marker that says nothing in place of those that inject entries. */
function withoutInjection(item: GoldenCase): GoldenCase {
  const isEntry = (node: unknown, isInList: boolean): unknown => {
    if (typeof node === "string" && isInList) return unmarked(node);
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((entry: unknown) => isEntry(entry, true));
    const entries = Object.entries(node).map(([key, child]): [string, unknown] => {
      const isMark = isInList && /^<<<?$/.test(key) && typeof child === "string";
      return [key, isMark ? unmarked(child) : isEntry(child, false)];
    });
    return Object.fromEntries(entries);
  };
  const stubs = item.stubs.map((stub) => JSON.stringify(isEntry(JSON.parse(stub), false)));
  return { ...item, stubs };
}

function unmarked(text: string): string {
  return text.startsWith("(( &") ? text.replaceAll(/&(?:inject|default)\b/g, "&state") : text;
}
