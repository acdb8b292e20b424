import { trimSpace } from "@landscaper/golang";
import { ChartError } from "../chart/chart-error.ts";

const separator = "---";

/**
 * Yields the YAML documents of a text, split at lines that begin with "---", as Helm 4 does with the reader of k8s.io/apimachinery. Throws ChartError
 * when it reaches such a line that contains anything else than white space and a comment. So the caller meets an earlier broken document first.
 */
export function* splitDocuments(text: string): Generator<string, void, undefined> {
  let lines: string[] = [];
  for (const line of linesOf(text)) {
    const isSeparator = line.startsWith(separator);
    if (isSeparator) checkSeparator(line);
    // A separator without a document before it is part of the next document.
    if (!isSeparator || lines.length === 0) {
      lines.push(line);
      continue;
    }
    yield lines.join("");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("");
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function checkSeparator(line: string): void {
  const rest = trimSpace(line.slice(separator.length));
  if (rest === "" || rest.startsWith("#")) return;
  throw new ChartError(`error reading yaml document: invalid Yaml document separator: ${rest}`);
}
