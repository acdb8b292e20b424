import type { UnresolvedNode } from "@landscaper/spiff";
import type { InputDocument } from "./read-inputs.ts";

const longestLine = 120;

/** Where failed nodes stand: `file:line:column: path` and the line with a marker below, for nodes whose place is known. */
export function showPlaces(nodes: readonly UnresolvedNode[], documents: readonly InputDocument[]): string {
  return nodes.map((node) => showPlace(node, documents)).join("");
}

function showPlace(node: UnresolvedNode, documents: readonly InputDocument[]): string {
  const { line, column, path } = node;
  const document = documents.find(({ name }) => name === node.document);
  if (document === undefined || line === undefined || column === undefined) return "";
  const source = document.text.split("\n")[line - 1] ?? "";
  // Only a window of long lines, around the place.
  const from = Math.max(0, Math.min(column - 1 - longestLine / 2, source.length - longestLine));
  const shown = source.slice(from, from + longestLine);
  const before = shown.slice(0, column - 1 - from).replaceAll(/[^\t]/g, " ");
  const gutter = `${line} | `;
  const marker = `${" ".repeat(gutter.length - 2)}| ${before}^`;
  return `${document.name}:${line}:${column}: ${path === "" ? "the document" : path}\n${gutter}${shown}\n${marker}\n`;
}
