import { trimSpace } from "@landscaper/golang";

/**
 * The documents of a rendered file, as Helm takes them apart: at "---" where a line begins, without the white space
 * around it. A second "---" right behind the first stays in its document. Loops, because a regular expression that
 * begins with white space is quadratic on long blank texts.
 */
export function splitManifests(text: string): string[] {
  const trimmed = trimSpace(text);
  const documents: string[] = [];
  let start = 0;
  let from = 0;
  for (;;) {
    const mark = trimmed.indexOf("---", from);
    if (mark < 0) break;
    const end = separatorStart(trimmed, mark, start);
    if (end === undefined) {
      from = mark + 1;
      continue;
    }
    addDocument(documents, trimmed.slice(start, end));
    start = skipSpace(trimmed, mark + 3);
    from = start;
  }
  addDocument(documents, trimmed.slice(start));
  return documents;
}

function addDocument(documents: string[], text: string): void {
  if (text !== "") documents.push(trimSpace(text));
}

/** Where the white space before a separator begins; undefined when the mark is none. */
function separatorStart(text: string, mark: number, start: number): number | undefined {
  if (mark === 0) return 0;
  if (mark === start || text[mark - 1] !== "\n") return undefined;
  let at = mark - 1;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** `\s` of RE2. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}
