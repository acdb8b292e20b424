/**
 * Go strings are bytes. Here they are JavaScript strings in which a byte that is no valid UTF-8 stands as a lone low
 * surrogate U+DC80..U+DCFF (byte - 0x80), so that slices, lengths and hashes work on bytes and nothing is lost.
 */
const escapeBase = 0xdc00;

/** From this length on, functions of the platform are faster than a loop here. */
const nativeFrom = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** True if every character is one byte. */
export function isAscii(text: string): boolean {
  if (text.length > nativeFrom) return Buffer.byteLength(text) === text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Code units of the character at `i`: 2 for a surrogate pair, else 1. */
function pairAt(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  if (code < 0xd800 || code > 0xdbff || i + 1 >= text.length) return false;
  const next = text.charCodeAt(i + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

function isByteEscape(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** Length in bytes, as Go's len. */
export function byteLength(text: string): number {
  if (text.length > nativeFrom && text.isWellFormed()) return Buffer.byteLength(text);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (pairAt(text, i)) {
      length += 4;
      i++;
    } else length += isByteEscape(code) ? 1 : 3;
  }
  return length;
}

/** The bytes of a Go string. */
export function encodeUtf8(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isByteEscape(code) && !(i > 0 && pairAt(text, i - 1))) {
      bytes.push(code - escapeBase);
      continue;
    }
    const width = pairAt(text, i) ? 2 : 1;
    bytes.push(...encoder.encode(text.slice(i, i + width)));
    i += width - 1;
  }
  return Uint8Array.from(bytes);
}

/** The Go string of these bytes; the inverse of encodeUtf8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeInvalid(bytes);
  }
}

function decodeInvalid(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length;) {
    const width = sequenceWidth(bytes, i);
    if (width === 0) {
      text += String.fromCharCode(escapeBase + (bytes[i] ?? 0));
      i++;
    } else {
      text += decoder.decode(bytes.subarray(i, i + width));
      i += width;
    }
  }
  return text;
}

/** Width of the valid UTF-8 sequence at `i`, or 0. */
function sequenceWidth(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + width > bytes.length) return 0;
  try {
    decoder.decode(bytes.subarray(i, i + width));
    return width;
  } catch {
    return 0;
  }
}

/** text[from:to] in bytes. */
export function sliceBytes(text: string, from: number, to: number): string {
  if (isAscii(text)) return text.slice(from, to);
  return decodeUtf8(encodeUtf8(text).subarray(from, to));
}

/** Replaces what is no text by U+FFFD: for the final output only. */
export function toWellFormed(text: string): string {
  return text.toWellFormed();
}
