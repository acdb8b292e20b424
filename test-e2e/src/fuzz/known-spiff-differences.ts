import { isAboutTexts } from "./spiff-written-entries.ts";
import { isAboutBranches, isAboutMarkedLoops } from "./spiff-control-differences.ts";
import {
  documentsOf,
  failedNodes,
  isSameFailure,
  type CompareAgain,
  type DifferentCase,
  type FailedNode,
} from "./spiff-failures.ts";

interface KnownDifference {
  /** As libs/spiff/README.md has it. */
  readonly reason: string;
  isShown(difference: DifferentCase, compareAgain: CompareAgain): boolean;
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
    isShown: isAboutBranches,
  },
  {
    reason: "loops wait for what their body needs",
    isShown: ({ real, ours }) =>
      "error" in real &&
      /\)@'[^']*' (?:unresolved|not complete)$/m.test(real.error) &&
      isSameBut(({ words }) => words === "error evaluating body", real.error, ours),
  },
  {
    reason: "a dynamic expression does not merge itself",
    isShown: ({ real, ours }) => {
      if (!("error" in real)) return false;
      const places = mergesOfItself(real.error);
      return isSameBut(({ path }) => places.has(path), real.error, ours);
    },
  },
  {
    reason: "undefined entries drop out before paths are told",
    isShown: ({ item, real, ours }) =>
      "error" in real &&
      "error" in ours &&
      [item.template, ...item.stubs].some((text) => /[[,](?:\{"<<<?":)?"\(\( (?:&\S+ \( )?~~/.test(text)) &&
      isSameFailure(withoutPlaces(failedNodes(real.error)), withoutPlaces(failedNodes(ours.error))),
  },
  {
    reason: "markers of the body of a loop do not count",
    isShown: isAboutMarkedLoops,
  },
  {
    reason: "entries of a list beside a merge are evaluated",
    isShown: isAboutTexts,
  },
  {
    reason: "injected entries are added once",
    isShown: ({ item, real, ours }) =>
      "output" in real &&
      "output" in ours &&
      item.stubs.some((stub) => /\[(?:.*,)?(?:\{"<<<?":)?"\(\( &(?:inject|default)/.test(stub)) &&
      JSON.stringify(documentsOf(real.output).map(withoutRepeats)) ===
        JSON.stringify(documentsOf(ours.output).map(withoutRepeats)),
  },
];

/** The listed difference that a case shows, if it shows one. */
export function knownDifference(difference: DifferentCase, compareAgain: CompareAgain): string | undefined {
  return knownDifferences.find((known) => known.isShown(difference, compareAgain))?.reason;
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

/** Where a dynamic expression from a stub has found itself in the stub. */
function mergesOfItself(error: string): ReadonlySet<string> {
  const node = /\tin <substitute>\t(\S*)\t.*\n\t+\(\( .*\*dynamic marker for non-template value node$/gm;
  return new Set([...error.matchAll(node)].map(([, path = ""]) => path));
}

/** Entries of lists go by place, by key, or by field and key. */
function isSameStep(a: string, b: string): boolean {
  const keyOf = (step: string): string => step.replace(/^\w+:/, "");
  return keyOf(a) === keyOf(b) || (a.startsWith("[") && b.includes(":")) || (b.startsWith("[") && a.includes(":"));
}

function withoutPlaces(nodes: readonly FailedNode[]): FailedNode[] {
  return nodes.map((node) => ({ ...node, path: node.path.replaceAll(/\[\d+\]/g, "[]") }));
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
