import type { GoldenCase } from "@landscaper/spiff/testing";
import { agreesOutside, type Place } from "./agrees-outside.ts";
import {
  documentsIn,
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
    const next = failedNodes(compared.real.error).reduce((current, node) => {
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
function isUnchanged(some: DifferentCase["ours"], others: DifferentCase["ours"]): boolean {
  if (!("error" in some) || !("error" in others)) return JSON.stringify(some) === JSON.stringify(others);
  const [a, b] = [some.error, others.error].map((error) => new Set(failedNodes(error).map(outsideOfControls)));
  return a !== undefined && b !== undefined && isSameSet(a, b);
}

/** The case with nothing in the innermost branch around a node that the original evaluates in advance. */
function withoutBranch(item: GoldenCase, { path, words }: FailedNode): GoldenCase {
  const steps = path.split(".");
  const isSyntax = words.startsWith("parse error");
  // A map with a wrong insertion or wrong options is a field of a control itself, also of one that a stub replaces.
  const isMap = /^(?:require map value for '<<<?' insert|control options \[)/.test(words);
  if (!isSyntax && !isMap && !steps.slice(1).some((step) => step.startsWith("<<"))) return item;
  const without = (text: string): string =>
    text
      .split("\n---\n")
      .map((part) => {
        const document: unknown = JSON.parse(part);
        const at = branchAround(document, isSyntax || isMap ? steps : steps.slice(0, -1));
        return at === undefined ? part : JSON.stringify(replaced(document, at));
      })
      .join("\n---\n");
  const template = without(item.template);
  const stubs = item.stubs.map(without);
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

function isControl(node: object): boolean {
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
export function isAboutMarkedLoops(difference: DifferentCase): boolean {
  const { template, stubs } = difference.item;
  const documents = [template, ...stubs].flatMap(documentsIn);
  return agreesOutside(
    difference,
    documents.flatMap((document) => markedLoops({ node: document, place: [], isStopped: false })),
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

/** The same nodes fail for the same reasons, and their paths differ only in steps into controls. */
export function isAboutPathsInControls({ item, real, ours }: DifferentCase): boolean {
  if (!item.features.includes("control") || !("error" in real) || !("error" in ours)) return false;
  const [theirs, own] = [real.error, ours.error].map((error) => new Set(failedNodes(error).map(outsideOfControls)));
  return theirs !== undefined && own !== undefined && theirs.size > 0 && isSameSet(theirs, own);
}

/** A branch cannot be read: the engines agree on everything outside of its control. */
export function isAboutSyntaxInBranches(difference: DifferentCase): boolean {
  const { item, real, ours } = difference;
  if (!item.features.includes("control") || !("error" in real) || !("error" in ours)) return false;
  const broken = failedNodes(real.error).filter(({ words }) => words.startsWith("parse error"));
  const places = broken
    .map(({ path }) => path.split("."))
    .filter((steps) => steps.some((step) => step.startsWith("<<")));
  return agreesOutside(
    difference,
    places.map((steps) =>
      steps.slice(
        0,
        steps.findIndex((step) => step.startsWith("<<")),
      ),
    ),
  );
}

/** A failed node with its path without the steps into controls; some nodes of the original have no words. */
function outsideOfControls({ path, words }: FailedNode): string {
  const steps = path.replaceAll(/\.?<<cases\.\[\d+\]\.value|\.?<<\w+/g, "");
  return `${steps} ${words.startsWith("parse error") ? "parse error" : ""}`;
}

function isSameSet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((item) => others.has(item));
}
