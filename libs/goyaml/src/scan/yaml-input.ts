/** A text for the scanner. */
export interface YamlInput {
  readonly text: string;
  /** Offset at which it begins: after a byte order mark. */
  readonly start: number;
  /** What is wrong with the characters that follow the text, if something is. */
  readonly problem: string | undefined;
}

/** Bytes that libyaml reads and checks at once: what comes after a mistake in one of them is not seen. */
const chunkSize = 512;

const suspicious = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ud800-\udfff\ufffe\uffff]/; // eslint-disable-line no-control-regex -- control characters are what is looked for

/** Characters that no YAML text may have, and bytes that are no character (lone surrogates U+DC80..U+DCFF). */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\udc80-\udcff\ufffe\uffff]/u; // eslint-disable-line no-control-regex -- control characters are what is looked for

/**
 * Checks the characters of a text, in which a byte that is no UTF-8 stands as a lone surrogate U+DC80..U+DCFF. A text
 * whose bytes are UTF-16 with a byte order mark is decoded.
 */
export function readInput(text: string): YamlInput {
  if (!suspicious.test(text) || !forbidden.test(text)) {
    return { text, start: text.startsWith("\ufeff") ? 1 : 0, problem: undefined };
  }
  const bytes = bytesOf(text);
  if (text.startsWith("\udcff\udcfe")) return decode(bytes, 2, utf16Reader({ low: 0, high: 1 }));
  if (text.startsWith("\udcfe\udcff")) return decode(bytes, 2, utf16Reader({ low: 1, high: 0 }));
  return decode(bytes, text.startsWith("\ufeff") ? 3 : 0, readUtf8);
}

function bytesOf(text: string): Uint8Array {
  const parts = text.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part, "utf8") : Buffer.of(part.charCodeAt(0) & 0xff))),
  );
}

/** A character and its width in bytes, a problem, or how many bytes are needed when there are too few. */
type Reading = { readonly code: number; readonly width: number } | { readonly problem: string } | Missing;

interface Missing {
  readonly needed: number;
  /** The problem when no more bytes follow. */
  readonly atEnd: string;
}

type Reader = (bytes: Uint8Array, at: number, end: number) => Reading;

/** Decodes the chunks before the one that has a mistake. */
function decode(bytes: Uint8Array, start: number, read: Reader): YamlInput {
  let text = "";
  let at = start;
  let chunkEnd = Math.min(chunkSize, bytes.length);
  while (at < bytes.length) {
    let chunk = "";
    while (at < chunkEnd) {
      const reading = read(bytes, at, chunkEnd);
      if ("problem" in reading) return { text, start: 0, problem: reading.problem };
      if ("needed" in reading) {
        if (chunkEnd === bytes.length) return { text: text + chunk, start: 0, problem: reading.atEnd };
        break;
      }
      const char = String.fromCodePoint(reading.code);
      if (forbidden.test(char)) return { text, start: 0, problem: "control characters are not allowed" };
      chunk += char;
      at += reading.width;
    }
    text += chunk;
    chunkEnd = Math.min(at + chunkSize, bytes.length);
  }
  return { text, start: 0, problem: undefined };
}

/** The least code that needs so many bytes. */
const leastCodes = [0, 0, 0x80, 0x800, 0x10000];

function readUtf8(bytes: Uint8Array, at: number, end: number): Reading {
  const first = bytes[at] ?? 0;
  const width = first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
  if (width === 0) return { problem: "invalid leading UTF-8 octet" };
  if (at + width > end) return { needed: width, atEnd: "incomplete UTF-8 octet sequence" };
  let code = width === 1 ? first : first & (0x7f >> width);
  for (let i = 1; i < width; i++) {
    const byte = bytes[at + i] ?? 0;
    if (byte >> 6 !== 2) return { problem: "invalid trailing UTF-8 octet" };
    code = (code << 6) | (byte & 0x3f);
  }
  if (code < (leastCodes[width] ?? 0)) return { problem: "invalid length of a UTF-8 sequence" };
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return { problem: "invalid Unicode character" };
  return { code, width };
}

function utf16Reader({ low, high }: { low: number; high: number }): Reader {
  const unitAt = (bytes: Uint8Array, at: number): number => (bytes[at + low] ?? 0) | ((bytes[at + high] ?? 0) << 8);
  return (bytes, at, end) => {
    if (at + 2 > end) return { needed: 2, atEnd: "incomplete UTF-16 character" };
    const first = unitAt(bytes, at);
    if (first >> 10 === 0x37) return { problem: "unexpected low surrogate area" };
    if (first >> 10 !== 0x36) return { code: first, width: 2 };
    if (at + 4 > end) return { needed: 4, atEnd: "incomplete UTF-16 surrogate pair" };
    const second = unitAt(bytes, at + 2);
    if (second >> 10 !== 0x37) return { problem: "expected low surrogate area" };
    return { code: 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff), width: 4 };
  };
}
