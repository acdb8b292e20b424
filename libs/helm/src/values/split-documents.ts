import { trimSpace } from "@landscaper/golang";
import { ChartError } from "../chart/chart-error.ts";

const separator = "---";

/**
 * Yields the YAML documents of a text, as the reader of k8s.io/apimachinery that Helm 4 uses splits them: at lines that begin with "---".
 * Only white space and a comment may follow on such a line. Throws ChartError for anything else when it reaches that line: a
 * broken document before it comes first.
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
