import type { GoldenCase } from "@landscaper/spiff/testing";
import { agreesOutside, type Place } from "./agrees-outside.ts";
import { documentsIn, documentsOf, isSameResult, type CompareAgain, type DifferentCase } from "./spiff-failures.ts";

const injecting = /"\(\( (?:&\S+ )*&(?:inject|default)\b/;

/**
 * In the original, a list that a stub marks entries of has these once more where it takes the place of another value, and its
 * entries take values of the places that they had before. The engines agree outside of such lists (where a merge has them elsewhere,
 * it can be anywhere), and everywhere when the entries have other markers.
 */
export function isAboutTakenLists(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = item.stubs.flatMap((stub) => documentsIn(stub)).flatMap((stub) => markedLists(stub, []));
  const isElsewhere = places.length > 0 && (agreesOnEntries(difference) || hasMergeElsewhere(item));
  if (!isElsewhere && !agreesOutside(difference, places)) return false;
  return isSameResult(compareAgain(withoutInjection(item)));
}

function hasMergeElsewhere({ template, stubs }: GoldenCase): boolean {
  return [template, ...stubs].some((text) => /\bmerge (?!none|replace|required|on\b)\w/.test(text));
}

/** The outputs are the same when each list has equal entries once. */
function agreesOnEntries({ real, ours }: DifferentCase): boolean {
  if (!("output" in real) || !("output" in ours)) return false;
  const [theirs, own] = [real.output, ours.output].map((output) =>
    JSON.stringify(documentsOf(output).map(withoutEqual)),
  );
  return theirs === own;
}

function withoutEqual(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (!Array.isArray(node)) {
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutEqual(child)]));
  }
  const entries = node.map((entry) => JSON.stringify(withoutEqual(entry)));
  return [...new Set(entries)].map((text): unknown => JSON.parse(text));
}

const dynamicInjection = /^\(\( (?=.*&dynamic)(?=.*&(?:inject|default))(?:&\S+ )*/;

/**
 * In the original, later documents merge again what a merge with a path gives to a field of an injected dynamic map. The engines
 * agree outside of such maps, and everywhere with a number in place of these merges.
 */
export function isAboutInjectedMerges(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = item.stubs.flatMap(documentsIn).flatMap((stub) => dynamicMaps(stub, []));
  if (!agreesOutside(difference, places)) return false;
  const stubs = item.stubs.map((stub) => JSON.stringify(withoutMerges(JSON.parse(stub), false)));
  const isSame = stubs.every((stub, index) => stub === item.stubs[index]);
  return !isSame && isSameResult(compareAgain({ ...item, stubs }));
}

function isDynamicMap(node: object): boolean {
  const { "<<": short, "<<<": long } = node as Readonly<Record<string, unknown>>;
  return [short, long].some((text) => typeof text === "string" && dynamicInjection.test(text));
}

function dynamicMaps(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return [];
  if (isDynamicMap(node)) return [place];
  return Object.entries(node).flatMap(([key, child]) => dynamicMaps(child, [...place, key]));
}

function withoutMerges(node: unknown, isInMap: boolean): unknown {
  if (typeof node === "string") return isInMap && /^\(\( .*\bmerge [a-z]/.test(node) ? "(( 1 ))" : node;
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((entry: unknown) => withoutMerges(entry, isInMap));
  const isBelow = isInMap || isDynamicMap(node);
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutMerges(child, isBelow)]));
}

/** The outermost lists with marked entries in them. */
function markedLists(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return isMarked(node) ? [place] : [];
  // What a control gives stands in its place.
  if (isControl(node)) return Object.values(node).some(isMarked) ? [place] : [];
  return Object.entries(node).flatMap(([key, child]) => markedLists(child, [...place, key]));
}

function isMarked(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const marks = Array.isArray(node) ? node.map((entry: unknown) => markOf(entry)) : [];
  return marks.some((mark) => injecting.test(JSON.stringify(mark))) || Object.values(node).some(isMarked);
}

function isControl(node: object): boolean {
  return Object.keys(node).some((key) => /^<<[a-z]/.test(key));
}

/** The text that marks an entry; of a control, those of its branches. */
export function markOf(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  if (isControl(entry)) return Object.values(entry);
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
      const isMark = isInList && (/^<<<?$/.test(key) || isControl(node)) && typeof child === "string";
      return [key, isMark ? unmarked(child) : isEntry(child, false)];
    });
    return Object.fromEntries(entries);
  };
  const stubs = item.stubs.map((stub) => JSON.stringify(isEntry(JSON.parse(stub), false)));
  return { ...item, stubs };
}

/**
 * A stub injects a field into a branch, and the field has the name of the branch: the result has it in the place of the branch, where
 * stubs change it in ours. The engines agree outside of such places, and everywhere when the field has another marker.
 */
export function isAboutInjectedNames(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = item.stubs.flatMap(documentsIn).flatMap((stub) => repeatedNames(stub, []));
  if (!item.features.includes("control") || !agreesOutside(difference, places)) return false;
  const stubs = item.stubs.map((stub) => JSON.stringify(withoutRepeated(JSON.parse(stub), undefined)));
  return isSameResult(compareAgain({ ...item, stubs }));
}

/**
 * A control has a list with a control among its entries, and a stub has a map there: that stands in the place of the control in the
 * original, which has the branch before these entries have values. The engines agree outside of such controls, where the original
 * has a map and ours a list, and everywhere with numbers in the place of these entries.
 */
export function isAboutListsOfResults(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item, real, ours } = difference;
  const places = [item.template, ...item.stubs].flatMap(documentsIn).flatMap((document) => listBranches(document, []));
  if (!("output" in real) || !("output" in ours) || !agreesOutside(difference, places)) return false;
  const [theirs, own] = [real.output, ours.output].map((output) => documentsOf(output)[0]);
  const isReplaced = places.some(
    (place) => !Array.isArray(valueAt(theirs, place)) && Array.isArray(valueAt(own, place)),
  );
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(withoutResults(document)))
      .join("\n---\n");
  const changed = { ...item, template: without(item.template), stubs: item.stubs.map(without) };
  return isReplaced && isSameResult(compareAgain(changed));
}

function valueAt(node: unknown, place: Place): unknown {
  return place.reduce((value: unknown, step) => (value as Readonly<Record<string, unknown>> | undefined)?.[step], node);
}

function listBranches(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return [];
  if (isControl(node) && Object.values(node).some(holdsControl)) return [place];
  return Object.entries(node).flatMap(([key, child]) => listBranches(child, [...place, key]));
}

function holdsControl(node: unknown): boolean {
  return Array.isArray(node) && node.some((entry) => typeof entry === "object" && entry !== null && isControl(entry));
}

function withoutResults(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(withoutResults);
  const isBranching = isControl(node);
  const fields = Object.entries(node).map(([key, child]): [string, unknown] => {
    if (!isBranching || !Array.isArray(child)) return [key, withoutResults(child)];
    return [key, child.map((entry: unknown) => (holdsControl([entry]) ? 0 : entry))];
  });
  return Object.fromEntries(fields);
}

/** The maps with a field that has an injected field of its own name. */
function repeatedNames(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === place.at(-1) && injecting.test(JSON.stringify(markOf(child)))
      ? [place.slice(0, -1)]
      : repeatedNames(child, [...place, key]),
  );
}

function withoutRepeated(node: unknown, name: string | undefined): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
  const fields = Object.entries(node).map(([key, child]): [string, unknown] => {
    if (key !== name) return [key, withoutRepeated(child, key)];
    if (typeof child === "string") return [key, unmarked(child)];
    const mark = markOf(child);
    return [key, typeof mark === "string" ? { ...(child as object), "<<": unmarked(mark) } : child];
  });
  return Object.fromEntries(fields);
}

function unmarked(text: string): string {
  return text.startsWith("(( &") ? text.replaceAll(/&(?:inject|default)\b/g, "&state") : text;
}

/**
 * The original looks up an entry under each key that it has in turn, and its expressions when what they need has a value, which
 * takes lambdas and templates longer. The engines agree outside of such lists, and everywhere with expressions that need neither.
 */
export function isAboutWaitingEntries(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = [item.template, ...item.stubs].flatMap(documentsIn).flatMap((document) => openLists(document, []));
  if (!agreesOutside(difference, places)) return false;
  const changed = withoutWaiting(item);
  return JSON.stringify(changed) !== JSON.stringify(item) && isSameResult(compareAgain(changed));
}

/** The lists of maps whose keys are not all written as texts of their own, or not all there in the end. */
function openLists(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return isOpenList(node) ? [place] : [];
  return Object.entries(node).flatMap(([key, child]) => openLists(child, [...place, key]));
}

function isOpenList(list: readonly unknown[]): boolean {
  const keys = list.map((entry) =>
    typeof entry === "object" && entry !== null && "name" in entry ? entry.name : undefined,
  );
  const isExpression = keys.some((key) => typeof key === "string" && key.startsWith("(("));
  const isShortened = list.some((entry) => /^\(\( (?:&\S+ )*\(? ?~~/.test(String(markOf(entry))));
  return isExpression || isShortened || new Set(keys).size < keys.length;
}

/**
 * Two entries have the same expression for a key, and one of them is marked: the original looks that up by the expression, ours by its
 * place. The engines agree outside of such lists, and everywhere without the markers.
 */
export function isAboutEqualKeys(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item } = difference;
  const places = [item.template, ...item.stubs].flatMap(documentsIn).flatMap((document) => equalLists(document, []));
  if (!agreesOutside(difference, places)) return false;
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(withoutMarks(document)))
      .join("\n---\n");
  return isSameResult(compareAgain({ ...item, template: without(item.template), stubs: item.stubs.map(without) }));
}

function equalLists(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return isEqualList(node) ? [place] : [];
  return Object.entries(node).flatMap(([key, child]) => equalLists(child, [...place, key]));
}

function isEqualList(list: readonly unknown[]): boolean {
  const keys = list.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "name" in entry && String(entry.name).startsWith("((")
      ? [entry.name]
      : [],
  );
  return new Set(keys).size < keys.length && list.some(isMarkedEntry);
}

function isMarkedEntry(entry: unknown): boolean {
  return /^\(\( (?:&\S+ )*\)\)$/.test(String(markOf(entry))) && typeof entry === "object";
}

/** The document without the markers of the entries of such lists. */
function withoutMarks(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    const isEqual = isEqualList(node);
    return node.map((entry: unknown) => {
      if (!isEqual || !isMarkedEntry(entry)) return withoutMarks(entry);
      const { "<<": _short, "<<<": _long, ...fields } = entry as Readonly<Record<string, unknown>>;
      return withoutMarks(fields);
    });
  }
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, withoutMarks(child)]));
}

/** The case with a number in place of expressions that need lambdas or templates, in such lists. */
function withoutWaiting(item: GoldenCase): GoldenCase {
  const changed = (node: unknown, isInList: boolean): unknown => {
    if (typeof node === "string") return isInList && /^\(\( .*\blib\./.test(node) ? "(( 1 ))" : node;
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((entry: unknown) => changed(entry, isInList || isOpenList(node)));
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, changed(child, isInList)]));
  };
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(changed(document, false)))
      .join("\n---\n");
  return { ...item, template: without(item.template), stubs: item.stubs.map(without) };
}
