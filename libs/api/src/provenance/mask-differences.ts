import { redacted } from "../secrecy/redaction.ts";

/** A status keeps the last 4 KiB of a message. */
const maxLength = 16_384;

/**
 * The message with what differs from the other one masked, word by word. The two are those of one failure, with secrets and with other
 * texts in place of secrets.
 */
export function maskDifferences(message: string, other: string): string {
  const [words, others] = [wordsOf(message), wordsOf(other)];
  if (words.join("") === others.join("")) return words.join("");
  const isAligned = words.length === others.length;
  const start = isAligned ? 0 : commonLength(words, others);
  const end = isAligned ? 0 : commonLength(words.slice(start).toReversed(), others.slice(start).toReversed());
  if (!isAligned) {
    const tail = end === 0 ? [] : words.slice(-end);
    return [...words.slice(0, start), redacted, ...tail].join("");
  }
  return joinMasked(words.map((word, index) => (word === others[index] ? word : undefined)));
}

/** Runs of letters and digits, and every other character by itself. */
function wordsOf(message: string): string[] {
  return message.slice(-maxLength).match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}

function commonLength(words: readonly string[], others: readonly string[]): number {
  const length = Math.min(words.length, others.length);
  for (let index = 0; index < length; index++) if (words[index] !== others[index]) return index;
  return length;
}

/** What ends a masked part; other marks between masked words belong to it. */
const boundary = /[\s"'`]/;

/** `undefined` is a masked word. Few marks between two of them are part of the secret. */
function joinMasked(words: readonly (string | undefined)[]): string {
  const parts: string[] = [];
  let between: string[] = [];
  let isMasked = false;
  for (const word of words) {
    if (word === undefined) {
      const isSame =
        isMasked && between.length <= 3 && between.every((mark) => !boundary.test(mark) && mark.length === 1);
      if (!isSame) parts.push(...between, redacted);
      between = [];
      isMasked = true;
      // The padding of base64 goes with what is encoded.
    } else if (word !== "=" || !isMasked || between.length > 0) between.push(word);
  }
  return [...parts, ...between].join("");
}
