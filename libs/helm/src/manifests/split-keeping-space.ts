import { trimSpace } from "@landscaper/golang";

const separator = "---";

/**
 * Returns the documents of a rendered file as Helm 4 splits them: at each line that begins with "---". White space at the end of a document
 * stays, because it belongs to a final block scalar with "+". Documents that consist of white space are left out.
 */
export function splitKeepingSpace(file: string): string[] {
  const text = trimStart(file);
  const documents: string[] = [];
  let start = 0;
  for (let mark = separatorFrom(text, start); mark !== undefined; mark = separatorFrom(text, start)) {
    addDocument(documents, text.slice(start, mark));
    start = mark + separator.length;
  }
  addDocument(documents, text.slice(start));
  return documents;
}

function addDocument(documents: string[], text: string): void {
  const document = trimStart(text);
  if (document !== "") documents.push(document);
}

/** Returns the position of the next "---" at the start of a line. */
function separatorFrom(text: string, from: number): number | undefined {
  for (let at = text.indexOf(separator, from); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") return at;
  }
  return undefined;
}

function trimStart(text: string): string {
  // trimSpace also removes space at the end; the marker prevents that.
  return trimSpace(`${text}.`).slice(0, -1);
}
