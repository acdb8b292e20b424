import type { GoldenCase } from "@landscaper/spiff/testing";
import { documentsIn, failedNodes, isSameResult, type CompareAgain, type DifferentCase } from "./spiff-failures.ts";

interface Duplicate {
  readonly tag: string;
  readonly first: string;
  readonly second: string;
}

/**
 * The original finds a tag twice where a node stands in a control and in its place, where it has moved in its list, in
 * branches that are not chosen, and in what a document takes over from a stub; not on nodes that go away. Without the tag, the engines agree, and our result is the same unless it tells a duplicate, too.
 */
export function isAboutTagsInControls(
  { item, real, ours }: DifferentCase,
  compareAgain: CompareAgain,
  isKnown: (difference: DifferentCase) => boolean,
): boolean {
  if ("crash" in ours) return false;
  const [theirs, own] = [real, ours].map((result) => ("error" in result ? duplicatesIn(result.error) : [])) as [
    Duplicate[],
    Duplicate[],
  ];
  const all = [...theirs, ...own];
  const isListed = (duplicate: Duplicate): boolean =>
    isInControl(duplicate) ||
    isBelowControl(item, duplicate) ||
    isOnceADocument(item, duplicate.tag) ||
    isUndefined(item, duplicate.tag);
  if (all.length === 0 || !all.every(isListed)) return false;
  const without = compareAgain(all.reduce((current, { tag }) => withoutTag(current, tag), item));
  const isUnchanged = own.length > 0 || JSON.stringify(without.ours) === JSON.stringify(ours);
  return isUnchanged && (isSameResult(without) || isKnown(without));
}

/**
 * Both engines find a tag twice, or the original has no value for one of the two nodes: then it knows no tag of it. Without the tag,
 * the rest is a listed difference.
 */
export function isAboutTagsOfFailed(
  { item, real, ours }: DifferentCase,
  compareAgain: CompareAgain,
  isKnown: (difference: DifferentCase) => boolean,
): boolean {
  if (!("error" in real) || !("error" in ours)) return false;
  const [theirs, own] = [duplicatesIn(real.error), duplicatesIn(ours.error)];
  const failed = failedNodes(real.error);
  const isFailed = (path: string): boolean => failed.some((node) => `${node.path}.`.startsWith(`${path}.`));
  const isListed = ({ tag, first, second }: Duplicate): boolean =>
    theirs.some((duplicate) => duplicate.tag === tag) || isFailed(first) || isFailed(second);
  if (own.length === 0 || !own.every(isListed)) return false;
  return isKnown(compareAgain([...theirs, ...own].reduce((current, { tag }) => withoutTag(current, tag), item)));
}

function duplicatesIn(error: string): Duplicate[] {
  const matches = error.matchAll(/\*duplicate tag "(.*)": (\S+) <-> (\S+)$/gm);
  return [...matches].map(([, tag = "", first = "", second = ""]) => ({ tag, first, second }));
}

/** One of the two is in a stub, and a document has taken it over. */
function isOnceADocument(item: GoldenCase, tag: string): boolean {
  const marker = new RegExp(`&tag:\\*?${tag}(?=[ )])`, "g");
  return [...item.template.split("\n---\n"), ...item.stubs].every((text) => [...text.matchAll(marker)].length <= 1);
}

/** One of the two goes away: nodes without a value have no tags in the original. */
function isUndefined({ template, stubs }: GoldenCase, tag: string): boolean {
  const marker = new RegExp(`&tag:\\*?${tag} \\( ?~~`);
  return [template, ...stubs].some((text) => marker.test(text));
}

/** One of the two stands in a field of a control, such as a branch that is not chosen. */
function isBelowControl({ template, stubs }: GoldenCase, { first, second }: Duplicate): boolean {
  const documents = [template, ...stubs].flatMap(documentsIn);
  return [first, second].some((path) => documents.some((document) => crossesControl(document, path.split("."))));
}

function crossesControl(document: unknown, steps: readonly string[]): boolean {
  let node = document;
  for (const step of steps) {
    if (typeof node !== "object" || node === null) return false;
    if (Object.keys(node).some((key) => /^<<[a-z]/.test(key))) return true;
    node = (node as Readonly<Record<string, unknown>>)[/^\[(\d+)\]$/.exec(step)?.[1] ?? step];
  }
  return false;
}

function isInControl({ first, second }: Duplicate): boolean {
  const withoutIndices = (path: string): string => path.replaceAll(/\[\d+\]/g, "[]");
  if (first.includes("<<") || second.includes("<<") || isSameNode(first, second)) return true;
  return withoutIndices(first) === withoutIndices(second);
}

/** The second path is another name of the first: with steps of controls in between, or keys of list entries. */
export function isSameNode(first: string, second: string): boolean {
  const rest = first.split(".");
  for (const step of second.split(".")) if (rest[0] !== undefined && isSameStep(step, rest[0])) rest.shift();
  return second !== first && rest.length === 0;
}

/** Entries of lists go by place, by key, or by field and key. */
function isSameStep(a: string, b: string): boolean {
  const keyOf = (step: string): string => step.replace(/^\w+:/, "");
  return keyOf(a) === keyOf(b) || (a.startsWith("[") && b.includes(":")) || (b.startsWith("[") && a.includes(":"));
}

/** The case with a marker that says nothing in place of a tag. */
function withoutTag(item: GoldenCase, tag: string): GoldenCase {
  const without = (text: string): string =>
    text.replaceAll(/&tag:\*?(\w+)(?=[ )])/g, (all, name) => (name === tag ? "&state" : all));
  return { ...item, template: without(item.template), stubs: item.stubs.map(without) };
}
