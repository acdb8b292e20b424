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

/** The same where they fail here: without expressions in such entries, the engines agree. */
export function isAboutFailedTexts({ item, ours }: DifferentCase, compareAgain: CompareAgain): boolean {
  if (!("error" in ours)) return false;
  const without = (text: string): string =>
    documentsIn(text)
      .map((document) => JSON.stringify(withoutExpressions(document, false)))
      .join("\n---\n");
  const changed = { ...item, template: without(item.template), stubs: item.stubs.map(without) };
  const isSame = changed.template === item.template && changed.stubs.every((stub, index) => stub === item.stubs[index]);
  return !isSame && isSameResult(compareAgain(changed));
}

function withoutExpressions(node: unknown, isInEntry: boolean): unknown {
  if (typeof node === "string") return isInEntry && node.includes("((") ? "x" : node;
  if (typeof node !== "object" || node === null) return node;
  const isBeside = Array.isArray(node) && isBesideMerge(node);
  if (Array.isArray(node)) return node.map((entry: unknown) => withoutExpressions(entry, isInEntry || isBeside));
  const fields = Object.entries(node).map(([key, child]): [string, unknown] => {
    return [key, key.startsWith("<<") && typeof child === "string" ? child : withoutExpressions(child, isInEntry)];
  });
  return Object.fromEntries(fields);
}

function isBesideMerge(node: readonly unknown[]): boolean {
  return /"<<<?":"\(\( [^"]*merge/.test(JSON.stringify(node));
}

/** The entries of lists beside a merge that are or hold expressions. */
function expressionEntries(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(expressionEntries);
  if (!Array.isArray(node) || !isBesideMerge(node)) return below;
  const entries = node.map((entry: unknown) => sortedJson(entry));
  return [...below, ...entries.filter((entry) => entry.includes("(( "))];
}

/** The same but for entries that the original has as they are written. */
function isSameBut(written: ReadonlySet<string>, real: unknown, ours: unknown): boolean {
  if (typeof real !== "object" || real === null || typeof ours !== "object" || ours === null) return real === ours;
  if (Array.isArray(real) !== Array.isArray(ours)) return false;
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
