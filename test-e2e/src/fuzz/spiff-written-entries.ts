import { sortedJson } from "./sorted-json.ts";
import { documentsOf, failedNodes, type DifferentCase } from "./spiff-failures.ts";

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

/** The entries of lists beside a merge that are or hold expressions. */
function expressionEntries(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(expressionEntries);
  if (!Array.isArray(node) || !/"<<<?":"\(\( [^"]*merge/.test(JSON.stringify(node))) return below;
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
