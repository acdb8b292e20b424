import { sortedJson } from "./sorted-json.ts";
import {
  documentsIn,
  documentsOf,
  failedNodes,
  isSameResult,
  type CompareAgain,
  type DifferentCase,
} from "./spiff-failures.ts";

/** Beside a merge, the original leaves entries of lists as they are written where ours have values, or mistakes. */
export function isAboutTexts({ item, real, ours }: DifferentCase): boolean {
  if (!("output" in real) || "crash" in ours) return false;
  const texts = [item.template, ...item.stubs].flatMap((text) => text.split("\n---\n"));
  const written = new Set(texts.flatMap((text) => expressionEntries(JSON.parse(text))));
  const documents = documentsOf(real.output);
  if ("output" in ours) {
    const own = documentsOf(ours.output);
    return documents.every((document, index) => isSameBut(written, document, own[index]));
  }
  const causes = failedNodes(ours.error).filter(({ isCause }) => isCause);
  const isWritten = (path: string): boolean =>
    documents.some((document) => standsIn(written, document, path.split(".")));
  return causes.length > 0 && causes.every(({ path }) => isWritten(path));
}

/** The same where they fail here, or in stubs, where others look for their values: without expressions in such entries, the engines agree. */
export function isAboutFailedTexts({ item, ours }: DifferentCase, compareAgain: CompareAgain): boolean {
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(withoutExpressions(document, "outside")))
      .join("\n---\n");
  const template = "error" in ours ? without(item.template) : item.template;
  const changed = { ...item, template, stubs: item.stubs.map(without) };
  const isSame = changed.template === item.template && changed.stubs.every((stub, index) => stub === item.stubs[index]);
  return !isSame && isSameResult(compareAgain(changed));
}

/** Whether a node is an entry of a list beside a merge, or stands below one. */
type Level = "outside" | "entry" | "below";

function withoutExpressions(node: unknown, level: Level): unknown {
  if (typeof node === "string") return level !== "outside" && node.includes("((") ? "x" : node;
  if (typeof node !== "object" || node === null) return node;
  const below = level === "outside" ? level : "below";
  if (Array.isArray(node)) {
    const isBeside = level === "outside" && isBesideMerge(node);
    return node.map((entry: unknown) => withoutExpressions(entry, isBeside ? "entry" : below));
  }
  const fields = Object.entries(node).flatMap(([key, child]): [string, unknown][] => {
    if (!/^<<<?$/.test(key) || level === "outside") return [[key, withoutExpressions(child, below)]];
    // Only an insertion stands alone; what an entry inserts is not evaluated, and data is a mistake that the original does not see.
    const isInsertion = level === "entry" && Object.keys(node).length === 1;
    return isInsertion && isExpression(child) ? [[key, child]] : [];
  });
  return Object.fromEntries(fields);
}

function isExpression(child: unknown): boolean {
  return typeof child === "string" && child.startsWith("((");
}

function isBesideMerge(node: readonly unknown[]): boolean {
  return node.some((entry) => {
    if (typeof entry !== "object" || entry === null) return false;
    const { "<<": short, "<<<": long } = entry as Readonly<Record<string, unknown>>;
    return [short, long].some((text) => typeof text === "string" && /^\(\( .*merge/.test(text));
  });
}

/** The entries of lists beside a merge that are or hold expressions, or tags of keys. */
function expressionEntries(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(expressionEntries);
  if (!Array.isArray(node) || !isBesideMerge(node)) return below;
  const entries = node.map((entry: unknown) => sortedJson(entry)).filter((entry) => /\(\( |"key:/.test(entry));
  // Only escaped texts have another form in the output.
  return [...below, ...entries, ...entries.map((entry) => entry.replaceAll("((!", "(("))];
}

/** An entry that goes away where it is evaluated. */
function isUndefinedEntry(entry: unknown): boolean {
  const { "<<": short, "<<<": long } =
    typeof entry === "object" && entry !== null ? (entry as Readonly<Record<string, unknown>>) : {};
  const isGone = /^\(\( (?:(?:&\S+ )*&(?:temporary|local)\b|(?:&\S+ )*\(? ?~~|\)\)$)/;
  return [entry, short, long].some((text) => typeof text === "string" && isGone.test(text));
}

/** The same but for entries that the original has as they are written. */
function isSameBut(written: ReadonlySet<string>, real: unknown, ours: unknown): boolean {
  if (typeof real !== "object" || real === null || typeof ours !== "object" || ours === null) return real === ours;
  if (Array.isArray(real) !== Array.isArray(ours)) return false;
  const kept = Array.isArray(real)
    ? real.filter((entry) => !isUndefinedEntry(entry) || !written.has(sortedJson(entry)))
    : [];
  if (Array.isArray(real) && kept.length < real.length) {
    return isSameBut(written, kept, ours);
  }
  const fields = ours as Readonly<Record<string, unknown>>;
  const isEntry = (value: unknown): boolean => Array.isArray(real) && written.has(sortedJson(value));
  return (
    Object.keys(real).length === Object.keys(ours).length &&
    Object.entries(real).every(
      ([key, value]) => key in ours && (isEntry(value) || isSameBut(written, value, fields[key])),
    )
  );
}

/** Whether such an entry stands on the way. */
function standsIn(written: ReadonlySet<string>, document: unknown, steps: readonly string[]): boolean {
  let node = document;
  for (const step of steps) {
    if (typeof node !== "object" || node === null) return false;
    const index = /^\[(\d+)\]$/.exec(step)?.[1];
    node = (node as Readonly<Record<string, unknown>>)[index ?? step];
    if (index !== undefined && written.has(sortedJson(node))) return true;
  }
  return false;
}
