/** Characters that are put together at a time: longer chains of small texts would take many times their memory. */
const chunkLength = 8192;

/** The texts that `map` gives for each rune, as one text. */
export function mapRunes(text: string, map: (rune: string) => string): string {
  const chunks: string[] = [];
  let pieces: string[] = [];
  for (const rune of text) {
    pieces.push(map(rune));
    if (pieces.length === chunkLength) {
      chunks.push(pieces.join(""));
      pieces = [];
    }
  }
  chunks.push(pieces.join(""));
  return chunks.length === 1 ? (chunks[0] ?? "") : chunks.join("");
}
