/** Maximum length of all warnings of an answer together. If they are longer, each of them is cut. */
const maxCharacters = 4096;
const maxCutCharacters = 256;

/** Returns the values of the Warning headers: each text once, with the length limits of the real server. Omits texts with control characters, as the real server does. */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const sendable = [...new Set(texts)].filter((text) => text !== "" && !/\p{Cc}/u.test(text));
  const size = sendable.reduce((sum, text) => sum + text.length, 0);
  return (size <= maxCharacters ? sendable : cut(sendable)).map((text) => `299 - ${quote(text)}`);
}

function cut(texts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (size >= maxCharacters) break;
    const start = text.slice(0, maxCutCharacters);
    kept.push(start);
    size += start.length;
  }
  return kept;
}

function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`);
  // Header values are Latin-1 on the wire; the HTTP layer would refuse everything else.
  return `"${escaped.replaceAll(/[^\x20-\x7e]/g, "?")}"`;
}
