import { isAboutFailedTexts, isAboutTexts } from "./spiff-written-entries.ts";
import {
  isAboutBranches,
  isAboutLoopsInLoops,
  isAboutMarkedLoops,
  isAboutPathsInControls,
  isAboutSyntaxInBranches,
} from "./spiff-control-differences.ts";
import {
  dynamicInsertions,
  dynamicMaps,
  mergesOfItself,
  undefinedTemplates,
  withInnermostMaps,
  withoutDynamicMaps,
  withoutMergesOfItself,
  withoutUndefinedTemplates,
} from "./spiff-dynamic-differences.ts";
import { isAboutUsesOfWrongInsertions, isAboutWrongInsertions } from "./spiff-insertion-differences.ts";
import {
  isAboutEqualKeys,
  isAboutInjectedMerges,
  isAboutInjectedNames,
  isAboutListsOfResults,
  isAboutTakenLists,
  isAboutWaitingEntries,
} from "./spiff-list-differences.ts";
import { isAboutTagsInControls, isAboutTagsOfFailed, isSameNode } from "./spiff-tag-differences.ts";
import { isAboutWaitingControls, isAboutWaitingLoops, waitingLoops } from "./spiff-waiting-differences.ts";
import {
  failedNodes,
  isSameFailure,
  isSameResult,
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
    isShown: (difference, compareAgain) => isAboutBranches(difference, compareAgain, isListed(compareAgain)),
  },
  {
    reason: "loops wait for what their body needs",
    isShown: (difference, compareAgain) => {
      const { real, ours } = difference;
      if (!("error" in real)) return false;
      if (isAboutWaitingLoops(difference, compareAgain)) return true;
      const places = waitingLoops(real.error);
      return isSameBut(({ path }) => places.has(path), real.error, ours);
    },
  },
  {
    reason: "a loop that fails is told beside other mistakes",
    isShown: ({ real, ours }) => {
      if (!("error" in real) || !("error" in ours)) return false;
      const isLoop = ({ words }: FailedNode): boolean => words === "error evaluating body";
      const [theirs, own] = [failedNodes(real.error), failedNodes(ours.error)];
      const others = own.filter((node) => !isLoop(node));
      return others.length < own.length && !theirs.some(isLoop) && isSameFailure(theirs, others);
    },
  },
  {
    reason: "a dynamic expression does not merge itself",
    isShown: (difference, compareAgain) => {
      const { item, real, ours } = difference;
      const places = "error" in real ? [...mergesOfItself(real.error)] : [];
      if (!("error" in real) || places.length === 0) return false;
      const isBelow = ({ path }: FailedNode): boolean => places.some((place) => `${path}.`.startsWith(`${place}.`));
      if (isSameOutside(isBelow, real.error, ours)) return true;
      const others = failedNodes(real.error).filter((node) => !isBelow(node));
      const waiting = waitingLoops(real.error);
      if (others.some(({ path }) => !waiting.has(path))) return false;
      // A document is seen by the original only when those before it have values.
      const again = compareAgain(withoutMergesOfItself(item));
      return isSameResult(again) || (others.length > 0 && isListed(compareAgain)(again));
    },
  },
  {
    reason: "a dynamic map that merges itself ends the run",
    isShown: ({ item, real, ours }) => {
      const endless = /^\S+: (\S+): more than \d+ templates within templates$/;
      const [, place = ""] = "error" in ours ? (endless.exec(ours.error) ?? []) : [];
      const isMerge = item.stubs.some((stub) => /"<<<?":"\(\( (?:&\S+ )*&dynamic &template \(merge/.test(stub));
      const dynamic = "error" in real ? [...undefinedTemplates(real.error), ...dynamicMaps(real.error)] : [];
      return isMerge && dynamic.includes(place);
    },
  },
  {
    reason: "a dynamic map goes away with an undefined insertion",
    isShown: ({ item, real, ours }, compareAgain) => {
      if (!("error" in real)) return false;
      const told = undefinedTemplates(real.error);
      // It ends the run before the document has its values.
      const isAlone = failedNodes(real.error).every(({ path }) => told.has(path));
      if (isAlone && isSameResult(compareAgain(withoutUndefinedTemplates(item)))) return true;
      // Beside another mistake, the original has no reason for other dynamic maps, too.
      if ("output" in ours && !item.stubs.some((stub) => stub.includes("&dynamic &template (~~) ))"))) return false;
      return isSameBut(({ path }) => told.has(path), real.error, ours);
    },
  },
  {
    reason: "a dynamic map that fails in another one is told by itself",
    isShown: ({ real, ours }) =>
      "error" in real && "error" in ours && isSameFailure(withInnermostMaps(real.error), failedNodes(ours.error)),
  },
  {
    reason: "merge replace inserts a dynamic map",
    isShown: ({ item, real, ours }, compareAgain) => {
      const hasReplace = [item.template, ...item.stubs].some((text) => text.includes("merge replace"));
      if (!("error" in real) || !hasReplace) return false;
      const places = dynamicInsertions(real.error);
      const isInsertion = ({ path, words }: FailedNode): boolean => words === "" && places.has(path);
      if (isSameBut(isInsertion, real.error, ours)) return true;
      // A document is seen by the original only when those before it have values.
      return failedNodes(real.error).every(isInsertion) && isSameResult(compareAgain(withoutDynamicMaps(item)));
    },
  },
  {
    reason: "undefined entries drop out before paths are told",
    isShown: ({ item, real, ours }) =>
      "error" in real &&
      "error" in ours &&
      [item.template, ...item.stubs].some((text) => isShortened.test(text)) &&
      isSameFailure(withoutPlaces(failedNodes(real.error)), withoutPlaces(failedNodes(ours.error))),
  },
  {
    reason: "markers of the body of a loop do not count",
    isShown: isAboutMarkedLoops,
  },
  {
    reason: "entries of a list beside a merge are evaluated",
    isShown: (difference, compareAgain) => isAboutTexts(difference) || isAboutFailedTexts(difference, compareAgain),
  },
  { reason: "a loop in the body of a loop is evaluated there", isShown: isAboutLoopsInLoops },
  { reason: "injected entries are added once", isShown: isAboutTakenLists },
  {
    reason: "a loop beside a merge with a path merges in its body",
    isShown: ({ item, real }, compareAgain) => {
      // The original reads the expression again with the path of the body, which is no path.
      if (!("error" in real) || !/\(\( .*merge \S*<<do.*\*parse error$/m.test(real.error)) return false;
      const without = (text: string): string => text.replaceAll(/"<<do":"\(\( [^"]*\bmerge\b[^"]*"/g, '"<<do":3');
      return isSameResult(compareAgain({ ...item, template: without(item.template), stubs: item.stubs.map(without) }));
    },
  },
  { reason: "entries with equal expressions for keys go by their places", isShown: isAboutEqualKeys },
  { reason: "merges with a path in injected dynamic maps look once", isShown: isAboutInjectedMerges },
  {
    reason: "a field that is injected into a branch of its name is a field like others",
    isShown: isAboutInjectedNames,
  },
  { reason: "a list of a branch stays with controls in it where a stub has it, too", isShown: isAboutListsOfResults },
  {
    reason: "tags of branches and of entries that move are defined once",
    isShown: (difference, compareAgain) => isAboutTagsInControls(difference, compareAgain, isListed(compareAgain)),
  },
  {
    reason: "tags are known before their nodes have values, beside others of these",
    isShown: (difference, compareAgain) => isAboutTagsOfFailed(difference, compareAgain, isListed(compareAgain)),
  },
  {
    reason: "several of these mistakes",
    isShown: ({ item, real, ours }) => {
      if (!("error" in real)) return false;
      const places = new Set([...mergesOfItself(real.error), ...undefinedTemplates(real.error)]);
      const isForeign = item.template.includes("merge(");
      const isListed = (node: FailedNode): boolean =>
        places.has(node.path) || isDuplicateOfItself(node) || (isForeign && isDuplicateInForeign(node));
      return isSameBut(isListed, real.error, ours);
    },
  },
  {
    reason: "a control waits for branches that cannot be read",
    isShown: (difference, compareAgain) => isAboutSyntaxInBranches(difference, compareAgain, isListed(compareAgain)),
  },
  {
    reason: "fields beside a wrong insertion are told, too",
    isShown: isAboutWrongInsertions,
  },
  { reason: "a control that waits has stubs change what its branch gives", isShown: isAboutWaitingControls },
  { reason: "expressions of lists whose keys change wait for others", isShown: isAboutWaitingEntries },
  { reason: "messages name nodes of controls by other paths", isShown: isAboutPathsInControls },
  {
    reason: "what refers to a map with a wrong insertion fails with it",
    isShown: (difference, compareAgain) =>
      isAboutUsesOfWrongInsertions(difference, compareAgain, isListed(compareAgain)),
  },
];

/** A list with an entry that is undefined, an insertion, or a control. */
const isShortened = /[[,](?:"\(\( (?:&\S+ )*(?:\( ?)?~~|\{"<<<?":[^}]*\}|\{"<<[a-z])/;

/** The listed difference that a case shows, if it shows one. */
export function knownDifference(difference: DifferentCase, compareAgain: CompareAgain): string | undefined {
  return knownDifferences.find((known) => known.isShown(difference, compareAgain))?.reason;
}

/** What is left of a difference without what one entry is about can be another listed one. */
function isListed(compareAgain: CompareAgain): (difference: DifferentCase) => boolean {
  return (difference) => knownDifference(difference, compareAgain) !== undefined;
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

/** The same beside such nodes, which can have mistakes of their own here. */
function isSameOutside(isKnown: (node: FailedNode) => boolean, real: string, ours: DifferentCase["ours"]): boolean {
  const others = failedNodes(real).filter((node) => !isKnown(node));
  if ("crash" in ours) return false;
  if ("output" in ours) return others.every(({ isCause }) => !isCause);
  const own = failedNodes(ours.error).filter((node) => !isKnown(node));
  return (others.length === 0 && own.length === 0) || isSameFailure(others, own);
}

/** The other place is another name of the same. */
function isDuplicateOfItself({ words }: FailedNode): boolean {
  const [, first = "", second = ""] = /^duplicate tag ".*": (\S+) <-> (\S+)$/.exec(words) ?? [];
  return first !== "" && isSameNode(first, second);
}

function withoutPlaces(nodes: readonly FailedNode[]): FailedNode[] {
  return nodes.map((node) => ({ ...node, path: node.path.replaceAll(/\[\d+\]/g, "[]") }));
}
