import type { GoldenCase } from "@landscaper/spiff/testing";
import {
  documentsOf,
  failedNodes,
  isSameFailure,
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
export function isAboutBranches(difference: DifferentCase, compareAgain: CompareAgain): boolean {
  const { item, ours } = difference;
  if (!item.features.includes("control") || "crash" in ours) return false;
  let compared = difference;
  // A document is seen by the original only when those before it have values.
  for (let round = 0; round <= item.stubs.length + 1; round++) {
    if (!("error" in compared.real)) return false;
    const next = failedNodes(compared.real.error).reduce((current, node) => {
      const without = withoutBranch(current, node);
      const isEvaluated = without !== current && JSON.stringify(compareAgain(without).ours) !== JSON.stringify(ours);
      return isEvaluated ? current : without;
    }, compared.item);
    if (next === compared.item) return false;
    compared = compareAgain(next);
    if (isSameResult(compared)) return true;
  }
  return false;
}

/** The case with nothing in the innermost branch around a node that the original evaluates in advance. */
function withoutBranch(item: GoldenCase, { path, words }: FailedNode): GoldenCase {
  const steps = path.split(".");
  const isSyntax = words.startsWith("parse error");
  if (!isSyntax && !steps.slice(1).some((step) => step.startsWith("<<"))) return item;
  const without = (text: string): string =>
    text
      .split("\n---\n")
      .map((part) => {
        const document: unknown = JSON.parse(part);
        const at = branchAround(document, isSyntax ? steps : steps.slice(0, -1));
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
export function isAboutMarkedLoops({ item, real, ours }: DifferentCase): boolean {
  if ("crash" in ours) return false;
  const documents = [item.template, ...item.stubs].flatMap((text) => text.split("\n---\n"));
  const places = documents.flatMap((text) => markedLoops(JSON.parse(text), []));
  if (places.length === 0) return false;
  const isOutside = ({ path }: FailedNode): boolean =>
    !places.some((place) => `${path}.`.startsWith([...place, ""].join(".")));
  if ("output" in real && "output" in ours) return rest(real.output, places) === rest(ours.output, places);
  const outside = (result: DifferentCase["real"]): FailedNode[] =>
    "error" in result ? failedNodes(result.error).filter((node) => node.isCause && isOutside(node)) : [];
  return isSameFailure(outside(real), outside(ours));
}

/** Places of the results of loops; of those in lists, the list. */
function markedLoops(node: unknown, place: readonly string[]): (readonly string[])[] {
  if (typeof node !== "object" || node === null) return [];
  const { "<<do": body } = node as Tree;
  if (typeof body === "string" && body.startsWith("(( &")) return [place];
  const isStop = Array.isArray(node) || isControl(node);
  return Object.entries(node).flatMap(([key, child]) => markedLoops(child, isStop ? place : [...place, key]));
}

function rest(output: string, places: readonly (readonly string[])[]): string {
  return JSON.stringify(documentsOf(output).map((document) => places.reduce<unknown>(without, document)));
}

function without(node: unknown, place: readonly string[]): unknown {
  const [step, ...further] = place;
  if (step === undefined) return undefined;
  if (typeof node !== "object" || node === null || Array.isArray(node) || !(step in node)) return node;
  const { [step]: child, ...others } = node as Tree;
  return further.length === 0 ? others : { ...others, [step]: without(child, further) };
}
