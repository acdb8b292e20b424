import type { GoldenCase } from "@landscaper/spiff/testing";
import { agreesOutside, type Place } from "./agrees-outside.ts";
import { sortedJson } from "./sorted-json.ts";
import {
  documentsIn,
  documentsOf,
  failedLoops,
  failedNodes,
  isSameResult,
  type CompareAgain,
  type DifferentCase,
  type FailedNode,
} from "./spiff-failures.ts";

type Tree = Readonly<Record<string, unknown>>;

/**
 * The original evaluates parts of branches that are not chosen, and fails for undefined insertions at branches. Without
 * the branches that fail, the engines agree, and our result is the same as with them.
 */
export function isAboutBranches(
  difference: DifferentCase,
  compareAgain: CompareAgain,
  isKnown: (difference: DifferentCase) => boolean,
): boolean {
  const { item, ours } = difference;
  if (!item.features.includes("control") || "crash" in ours) return false;
  let compared = difference;
  // A document is seen by the original only when those before it have values.
  for (let round = 0; round <= item.stubs.length + 1; round++) {
    if (!("error" in compared.real)) return false;
    const { error } = compared.real;
    const nodes = [...failedNodes(error), ...failedLoops(error).flatMap(({ below }) => below)];
    const next = nodes.reduce((current, node) => {
      const without = withoutBranch(current, node);
      const isEvaluated = without !== current && !isUnchanged(compareAgain(without).ours, ours);
      return isEvaluated ? current : without;
    }, compared.item);
    if (next === compared.item) return false;
    compared = compareAgain(next);
    if (isSameResult(compared) || isKnown(compared)) return true;
  }
  return false;
}

/** The same result, or the same nodes fail. */
export function isUnchanged(some: DifferentCase["ours"], others: DifferentCase["ours"]): boolean {
  if (!("error" in some) || !("error" in others)) return JSON.stringify(some) === JSON.stringify(others);
  const [a, b] = [some.error, others.error].map((error) => new Set(failedNodes(error).map(outsideOfControls)));
  return a !== undefined && b !== undefined && isSameSet(a, b);
}

/** The case with nothing in the innermost branch around a node that the original evaluates in advance. */
function withoutBranch(item: GoldenCase, { document: name, path, words }: FailedNode): GoldenCase {
  const steps = path.split(".");
  const isSyntax = words.startsWith("parse error");
  // A map with a wrong insertion or wrong options is a field of a control itself, also of one that a stub replaces.
  const isMap = /^(?:require map value for '<<<?' insert|control options \[)/.test(words);
  // In the body of a loop, a branch that is a single expression is evaluated as well.
  const isItself = isSyntax || isMap || steps.includes("<<do");
  if (!isSyntax && !isMap && !steps.slice(1).some((step) => step.startsWith("<<"))) return item;
  const without = (text: string): string =>
    text
      .split("\n---\n")
      .map((part) => {
        const document: unknown = JSON.parse(part);
        const at = branchAround(document, isItself ? steps : steps.slice(0, -1));
        return at === undefined ? part : JSON.stringify(replaced(document, at));
      })
      .join("\n---\n");
  const isElsewhere = (own: string): boolean => /^(?:template|stub\d+)\.yaml$/.test(name) && name !== own;
  const template = isElsewhere("template.yaml") ? item.template : without(item.template);
  const stubs = item.stubs.map((stub, index) => (isElsewhere(`stub${index + 1}.yaml`) ? stub : without(stub)));
  const isSame = template === item.template && stubs.every((stub, index) => stub === item.stubs[index]);
  return isSame ? item : { ...item, template, stubs };
}

/** The path of the innermost field of a control on the way. */
function branchAround(document: unknown, steps: readonly string[]): readonly string[] | undefined {
  let node = document;
  let found: readonly string[] | undefined;
  for (const [index, step] of steps.entries()) {
    if (typeof node !== "object" || node === null) return undefined;
    const name = /^\[(\d+)\]$/.exec(step)?.[1] ?? step;
    if (!(name in node)) return undefined;
    const isCase = step === "value" && steps[index - 2] === "<<cases";
    if (isControl(node) || isCase) found = steps.slice(0, index + 1);
    node = (node as Tree)[name];
  }
  return found;
}

export function isControl(node: object): boolean {
  return Object.keys(node).some((key) => /^<<[a-z]/.test(key));
}

function replaced(node: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return "(( ~~ ))";
  if (Array.isArray(node)) {
    return node.map((item: unknown, index) => (step === `[${index}]` ? replaced(item, rest) : item));
  }
  const fields = node as Tree;
  return { ...fields, [step]: replaced(fields[step], rest) };
}

/** The engines agree on everything outside of the fields with loops whose bodies have markers. */
export function isAboutMarkedLoops(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item, ours } = difference;
  const documents = [item.template, ...item.stubs].flatMap(documentsIn);
  const places = documents.flatMap((document) => markedLoops({ node: document, place: [], isStopped: false }));
  if (agreesOutside(difference, places)) return true;
  if (places.length === 0 || "crash" in ours) return false;
  // A document is seen by the original only when those before it have values.
  const again = compareAgain(withoutMarkedBodies(item));
  return isSameResult(again) && isUnchanged(again.ours, ours);
}

/** The case with bodies that do not begin with markers. */
function withoutMarkedBodies(item: GoldenCase): GoldenCase {
  const without = (text: string): string => text.replaceAll(/("<<do":"\(\( )(?:&\S+ )+/g, "$1");
  return { ...item, template: without(item.template), stubs: item.stubs.map(without) };
}

/**
 * The original takes a loop whose body waits for a lambda or a template out of the body of the loop around: its entries stand
 * in the list of that, and the variables of that are unknown.
 */
export function isAboutLoopsInLoops(difference: DifferentCase): boolean {
  const { item, real, ours } = difference;
  const documents = [item.template, ...item.stubs].flatMap(documentsIn);
  const places = documents.flatMap((document) => nestedLoops(document, []));
  if (!agreesOutside(difference, places) || "crash" in ours) return false;
  if ("error" in real) return real.error.includes("\tin dynaml@");
  // A stub takes the place of the loop that was moved, not of one that fails.
  if (!("output" in ours)) return places.every((place) => isOfStub(item, place, real.output));
  const [theirs, own] = [real.output, ours.output].map((output) => documentsOf(output));
  return places.every((place) =>
    (theirs ?? []).every((document, index) => isFlattened(valueAt(document, place), valueAt(own?.[index], place))),
  );
}

function isOfStub({ stubs }: DifferentCase["item"], place: Place, output: string): boolean {
  const values = documentsOf(output).map((document) => sortedJson(valueAt(document, place)));
  return stubs.flatMap(documentsIn).some((stub) => values.includes(sortedJson(valueAt(stub, place))));
}

function isFlattened(flat: unknown, nested: unknown): boolean {
  const isSame = sortedJson(flat) === sortedJson(nested);
  return isSame || (Array.isArray(nested) && sortedJson(flat) === sortedJson(nested.flat()));
}

function valueAt(document: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (node, step) => (typeof node === "object" && node !== null ? (node as Tree)[step] : undefined),
    document,
  );
}

/** Places of loops with a loop right in their body. */
function nestedLoops(node: unknown, place: Place): Place[] {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return [];
  const { "<<do": body } = node as Tree;
  if (typeof body === "object" && body !== null && "<<for" in body) return [place];
  return Object.entries(node).flatMap(([key, child]) =>
    key.startsWith("<<") ? [] : nestedLoops(child, [...place, key]),
  );
}

interface Walk {
  readonly node: unknown;
  readonly place: Place;
  /** Below a list or a control, where the result has other steps. */
  readonly isStopped: boolean;
}

/** Places of the results of loops; of those in lists and other controls, these. */
function markedLoops({ node, place, isStopped }: Walk): Place[] {
  if (typeof node !== "object" || node === null) return [];
  const { "<<do": body } = node as Tree;
  if (typeof body === "string" && body.startsWith("(( &")) return [place];
  const stops = isStopped || Array.isArray(node) || isControl(node);
  return Object.entries(node).flatMap(([key, child]) =>
    markedLoops({ node: child, place: stops ? place : [...place, key], isStopped: stops }),
  );
}

/** The same nodes fail for the same reasons, and their paths differ only in steps into controls, and into lists that these give to lists. */
export function isAboutPathsInControls({ item, real, ours }: DifferentCase): boolean {
  if (!item.features.includes("control") || !("error" in real) || !("error" in ours)) return false;
  const isSame = (placeOf: (node: FailedNode) => string): boolean => {
    const [theirs, own] = [real.error, ours.error].map((error) => new Set(failedNodes(error).map(placeOf)));
    return theirs !== undefined && own !== undefined && theirs.size > 0 && isSameSet(theirs, own);
  };
  if (isSame(outsideOfControls)) return true;
  const isNested = [item.template, ...item.stubs].flatMap(documentsIn).some((document) => hasListsInLists(document, 0));
  return isNested && isSame((node) => outsideOfControls(node).replaceAll(/(?:\.\[\d+\])+/g, ".[]"));
}

/** A control in a list has a branch with a list that has a control in it. `around`: lists with nothing but controls in between. */
function hasListsInLists(node: unknown, around: number): boolean {
  if (typeof node !== "object" || node === null) return false;
  const isInList = Array.isArray(node);
  if (!isInList && around >= 2 && isControl(node)) return true;
  const below = isInList ? around + 1 : isControl(node) ? around : 0;
  return Object.values(node).some((child) => hasListsInLists(child, below));
}

/**
 * A branch cannot be read: the engines agree on everything outside of its control, and everywhere with an expression that can be
 * read in its place.
 */
export function isAboutSyntaxInBranches(
  difference: DifferentCase,
  compareAgain: CompareAgain,
  isKnown: (difference: DifferentCase) => boolean,
): boolean {
  const { item, real, ours } = difference;
  if (!item.features.includes("control") || !("error" in ours)) return false;
  const broken = "error" in real ? failedNodes(real.error) : failedNodes(ours.error);
  const places = broken.filter(({ words }) => words.startsWith("parse error")).map(({ path }) => controlAround(path));
  if (places.length === 0 || ("error" in real && !agreesOutside(difference, places))) return false;
  const again = compareAgain(withReadableTexts(item));
  return isSameResult(again) || isKnown(again);
}

/** The place of the outermost control on the way to a node. */
function controlAround(path: string): Place {
  const steps = path.split(".");
  const index = steps.findIndex((step) => step.startsWith("<<"));
  return index === -1 ? steps : steps.slice(0, index);
}

function withReadableTexts(item: GoldenCase): GoldenCase {
  const without = (text: string): string => text.replaceAll(/"\(\( *(?:(?:&\S+ )*\( &\S+ \) )?\)\)"/g, '"(( ~ ))"');
  return { ...item, template: without(item.template), stubs: item.stubs.map(without) };
}

/** A failed node with its path without the steps into controls; some nodes of the original have no words. */
function outsideOfControls({ path, words }: FailedNode): string {
  // What is wrong in the body of a loop stands in its result.
  const isBroken = words.startsWith("control options ");
  const place = isBroken ? path.replace(/\.(?:\[\d+\]|<<do)$/, ".<<do") : path;
  const steps = place.replaceAll(/\.?<<cases\.\[\d+\]\.value|\.?<<\w+/g, "");
  return `${steps} ${words.startsWith("parse error") ? "parse error" : ""}`;
}

function isSameSet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((item) => others.has(item));
}
