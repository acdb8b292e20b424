import type { GoldenCase } from "@landscaper/spiff/testing";
import { isControl } from "./spiff-control-differences.ts";
import {
  documentsIn,
  failedNodes,
  isSameFailure,
  isSameResult,
  type CompareAgain,
  type DifferentCase,
  type FailedNode,
} from "./spiff-failures.ts";

/** What is wrong beside an insertion of another type or one that cannot be read, or beside a `<<merge` of maps with such an insertion, is told or not. */
export function isAboutWrongInsertions({ real, ours }: DifferentCase): boolean {
  if (!("error" in real) || !("error" in ours)) return false;
  const [theirs, own] = [failedNodes(real.error), failedNodes(ours.error)];
  const isUnreadable = ({ path, words }: FailedNode): boolean =>
    /\.<<<?$/.test(path) && words.startsWith("parse error");
  const places = [
    ...theirs.filter((node) => isWrong(node) || isWrongMerge(node)).map(({ path }) => path),
    ...theirs.filter(isUnreadable).map(({ path }) => path.replace(/\.<<<?$/, "")),
  ];
  const controls = own.filter(isWrong).flatMap(({ path }) => /^(.*?)\.<<merge\./.exec(path)?.[1] ?? []);
  const isBeside = (node: FailedNode): boolean =>
    (!isUnreadable(node) && places.some((place) => node.path.startsWith(`${place}.`))) ||
    (!isWrong(node) && controls.some((place) => node.path.startsWith(`${place}.`)));
  const rest = (nodes: readonly FailedNode[]): FailedNode[] =>
    nodes.filter((node) => !isBeside(node)).map((node) => ({ ...node, path: node.path.replaceAll(".<<merge.", ".") }));
  const isShorter = theirs.some(isBeside) || own.some(isBeside);
  return isShorter && isSameFailure(rest(theirs), rest(own));
}

function isWrong({ words }: FailedNode): boolean {
  return words.startsWith("require map value for ");
}

/** A `<<merge` of a map that is a template, and that inserts one. */
function isWrongMerge({ words }: FailedNode): boolean {
  return words === "invalid value type: template";
}

/**
 * What refers to a map with such an insertion fails with it; in the original, it sees the fields beside the insertion, and copies of the
 * map fail. Without these insertions, the engines agree.
 */
export function isAboutUsesOfWrongInsertions(
  { item, real, ours }: DifferentCase,
  compareAgain: CompareAgain,
  isKnown: (difference: DifferentCase) => boolean,
): boolean {
  if (!("error" in ours)) return false;
  const wrong = failedNodes(ours.error).filter(isWrong);
  const changed = wrong.reduce(withoutInsertion, item);
  if (changed === item) return false;
  const again = compareAgain(changed);
  // The original passes over the mistake where only the type of a value counts.
  if ("output" in real) return isSameResult(again) && JSON.stringify(again.ours) === JSON.stringify(real);
  return isSameResult(again) || isKnown(again);
}

/** The case without the insertion of a map. */
function withoutInsertion(item: GoldenCase, { document, path }: FailedNode): GoldenCase {
  const without = (text: string): string => {
    const parts = documentsIn(text);
    const changed = parts.map((part) => withoutInsertionAt(part, path.split(".")));
    return changed.every((part, index) => part === parts[index])
      ? text
      : changed.map((part) => JSON.stringify(part)).join("\n---\n");
  };
  const template = document === "template.yaml" ? without(item.template) : item.template;
  const stubs = item.stubs.map((stub, index) => (document === `stub${index + 1}.yaml` ? without(stub) : stub));
  const isSame = template === item.template && stubs.every((stub, index) => stub === item.stubs[index]);
  return isSame ? item : { ...item, template, stubs };
}

/** The same node where no such map is; what a control gives stands in the place of the control. */
function withoutInsertionAt(node: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    const entries = node.map((entry: unknown, index) =>
      step === `[${index}]` ? withoutInsertionAt(entry, rest) : entry,
    );
    return entries.every((entry, index) => entry === node[index]) ? node : entries;
  }
  if (step === undefined && ("<<" in node || "<<<" in node)) {
    const { "<<": _short, "<<<": _long, ...fields } = node as Readonly<Record<string, unknown>>;
    return fields;
  }
  const fields = Object.entries(node).map(([key, child]): [string, unknown] => {
    if (key === step) return [key, withoutInsertionAt(child, rest)];
    return [key, isControl(node) && !(step !== undefined && step in node) ? withoutInsertionAt(child, steps) : child];
  });
  const isSame = fields.every(([key, child]) => child === (node as Readonly<Record<string, unknown>>)[key]);
  return isSame ? node : Object.fromEntries(fields);
}
