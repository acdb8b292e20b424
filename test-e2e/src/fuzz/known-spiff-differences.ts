import type { GoldenCase, GoldenResult } from "@landscaper/spiff/testing";
import { failedNodes, isSameFailure, type FailedNode } from "./spiff-failures.ts";

/** A case that the two engines do not agree on. */
export interface DifferentCase {
  readonly item: GoldenCase;
  readonly real: GoldenResult;
  readonly ours: GoldenResult | { readonly crash: string };
}

interface KnownDifference {
  /** As libs/spiff/README.md has it. */
  readonly reason: string;
  isShown(difference: DifferentCase): boolean;
}

const knownDifferences: readonly KnownDifference[] = [
  { reason: "tags are known before their nodes have values", isShown: isOnlyAboutTags },
  {
    reason: "a node that stands in two places has its tags once",
    isShown: ({ real, ours }) => "error" in real && isSameBut(isDuplicateOfItself, real.error, ours),
  },
  {
    reason: "merge() does not define the tags of the document again",
    isShown: ({ item, real, ours }) =>
      "error" in real && item.template.includes("merge(") && isSameBut(isDuplicateInForeign, real.error, ours),
  },
  {
    reason: "branches that are not chosen are not evaluated",
    isShown: ({ item, real, ours }) =>
      "error" in real && item.features.includes("control") && isAboutBranches(failedNodes(real.error), item, ours),
  },
  {
    reason: "loops wait for what their body needs",
    isShown: ({ real, ours }) =>
      "error" in real &&
      /\)@'[^']*' unresolved$/m.test(real.error) &&
      isSameBut(({ words }) => words === "error evaluating body", real.error, ours),
  },
  {
    reason: "undefined entries drop out before paths are told",
    isShown: ({ item, real, ours }) =>
      "error" in real &&
      "error" in ours &&
      [item.template, ...item.stubs].some((text) => /[[,]"\(\( (?:&\S+ \( )?~~/.test(text)) &&
      isSameFailure(withoutPlaces(failedNodes(real.error)), withoutPlaces(failedNodes(ours.error))),
  },
  {
    reason: "markers of the body of a loop do not count",
    isShown: ({ item, ours }) =>
      !("crash" in ours) && [item.template, ...item.stubs].some((text) => text.includes('"<<do":"(( &')),
  },
  {
    reason: "entries of a list beside a merge are evaluated",
    isShown: ({ real, ours }) =>
      "output" in real && "output" in ours && isSameButTexts(JSON.parse(real.output), JSON.parse(ours.output), false),
  },
  {
    reason: "injected entries are added once",
    isShown: ({ item, real, ours }) =>
      "output" in real &&
      "output" in ours &&
      item.stubs.some((stub) => /\[(?:.*,)?\{"<<<?":"\(\( &(?:inject|default)/.test(stub)) &&
      JSON.stringify(withoutRepeats(JSON.parse(real.output))) ===
        JSON.stringify(withoutRepeats(JSON.parse(ours.output))),
  },
];

/** The listed difference that a case shows, if it shows one. */
export function knownDifference(difference: DifferentCase): string | undefined {
  return knownDifferences.find((known) => known.isShown(difference))?.reason;
}

/** Which of two nodes is the duplicate depends on the passes of the original; nodes without a value have no tags in it. */
function isOnlyAboutTags({ real, ours }: DifferentCase): boolean {
  if ("crash" in ours) return false;
  const all = {
    real: "error" in real ? failedNodes(real.error) : [],
    ours: "error" in ours ? failedNodes(ours.error) : [],
  };
  const duplicates = [...all.real, ...all.ours].filter(isDuplicate).map(({ path }) => path);
  if (duplicates.length === 0 || all.ours.length === 0) return false;
  const isBelow = ({ path }: FailedNode): boolean => duplicates.some((place) => `${path}.`.startsWith(`${place}.`));
  const rest = (nodes: readonly FailedNode[]): FailedNode[] => nodes.filter((node) => node.isCause && !isBelow(node));
  const covers = (some: readonly FailedNode[], others: readonly FailedNode[]): boolean =>
    some.every(({ path }) => others.some((node) => node.path === path));
  return covers(rest(all.ours), all.real) && covers(rest(all.real), all.ours);
}

function isDuplicate({ words }: FailedNode): boolean {
  return words.startsWith("duplicate tag ");
}

function isDuplicateInForeign({ words }: FailedNode): boolean {
  return /^duplicate tag ".*": \S+ in foreign document$/.test(words);
}

/** The original has mistakes in branches only, or all mistakes of ours are among those of the original, and it has more, in branches. */
function isAboutBranches(nodes: readonly FailedNode[], item: GoldenCase, ours: DifferentCase["ours"]): boolean {
  if ("crash" in ours || !nodes.some((node) => isWithinBranch(node, item))) return false;
  if (nodes.every((node) => !node.isCause || isWithinBranch(node, item))) return true;
  const own = "error" in ours ? failedNodes(ours.error).filter(({ isCause }) => isCause) : [];
  return own.every(({ words }) => nodes.some((node) => node.words === words));
}

/** The original has only such mistakes, or the same ones without them. */
function isSameBut(isKnown: (node: FailedNode) => boolean, real: string, ours: DifferentCase["ours"]): boolean {
  const nodes = failedNodes(real);
  const others = nodes.filter((node) => !isKnown(node));
  if (others.length === nodes.length || "crash" in ours) return false;
  if ("output" in ours) return others.every(({ isCause }) => !isCause);
  return isSameFailure(others, failedNodes(ours.error));
}

/** The other place is another name of the same: with steps of controls in between, or keys of list entries. */
function isDuplicateOfItself({ words }: FailedNode): boolean {
  const [, first = "", second = ""] = /^duplicate tag ".*": (\S+) <-> (\S+)$/.exec(words) ?? [];
  const rest = first.split(".");
  for (const step of second.split(".")) if (rest[0] !== undefined && isSameStep(step, rest[0])) rest.shift();
  return first !== "" && second !== first && rest.length === 0;
}

/** Entries of lists go by place, by key, or by field and key. */
function isSameStep(a: string, b: string): boolean {
  const keyOf = (step: string): string => step.replace(/^\w+:/, "");
  return keyOf(a) === keyOf(b) || (a.startsWith("[") && b.includes(":")) || (b.startsWith("[") && a.includes(":"));
}

/** An insertion or an option of a control, within a field of another control. */
function isWithinBranch({ path, words }: FailedNode, { template, stubs }: GoldenCase): boolean {
  // A mistake of syntax may be the branch itself.
  const steps = words.startsWith("parse error") ? [...path.split("."), "(("] : path.split(".");
  if (!steps.some((step, index) => index > 0 && step.startsWith("<<"))) return false;
  return [template, ...stubs].some((text) =>
    text.split("\n---\n").some((part) => hasControlAround(JSON.parse(part), steps)),
  );
}

function hasControlAround(document: unknown, steps: readonly string[]): boolean {
  let node = document;
  for (const [index, step] of steps.entries()) {
    if (typeof node !== "object" || node === null) return false;
    const isControl = Object.keys(node).some((key) => /^<<[a-z]/.test(key));
    if (isControl && index < steps.length - 1) return true;
    const entry = /^\[(\d+)\]$/.exec(step)?.[1];
    node = (node as Readonly<Record<string, unknown>>)[entry ?? step];
  }
  return false;
}

function withoutPlaces(nodes: readonly FailedNode[]): FailedNode[] {
  return nodes.map((node) => ({ ...node, path: node.path.replaceAll(/\[\d+\]/g, "[]") }));
}

/** The same but for entries of lists that are expressions as written in the original. */
function isSameButTexts(real: unknown, ours: unknown, isEntry: boolean): boolean {
  if (isEntry && typeof real === "string" && /^\(\( .* \)\)$/s.test(real)) return true;
  if (typeof real !== "object" || real === null || typeof ours !== "object" || ours === null) return real === ours;
  if (Array.isArray(real) !== Array.isArray(ours)) return false;
  const keys = Object.keys(real);
  const fields = ours as Readonly<Record<string, unknown>>;
  return (
    keys.length === Object.keys(ours).length &&
    Object.entries(real).every(([key, value]) => key in ours && isSameButTexts(value, fields[key], Array.isArray(real)))
  );
}

/** Of entries of a list with the same name, or without names the same content, the last. */
function withoutRepeats(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutRepeats(item)]));
  }
  const entries = new Map<string, unknown>();
  for (const item of value.map(withoutRepeats)) {
    const hasName = typeof item === "object" && item !== null && "name" in item;
    const key = JSON.stringify(hasName ? [item.name] : item);
    entries.delete(key);
    entries.set(key, item);
  }
  return [...entries.values()];
}
