import { encodeUtf8 } from "../value/utf8.ts";

/** Base64 or base32 with padding, as Go's StdEncoding. */
export interface BaseEncoding {
  readonly name: string;
  readonly alphabet: string;
  /** Bits per character. */
  readonly bits: 5 | 6;
}

/** Characters of one group, which are a whole number of bytes. */
function groupSize({ bits }: BaseEncoding): number {
  return bits === 6 ? 4 : 8;
}

export function encodeBase(bytes: Uint8Array, encoding: BaseEncoding): string {
  const { alphabet, bits } = encoding;
  let text = "";
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    held += 8;
    while (held >= bits) {
      held -= bits;
      text += alphabet.charAt((buffer >> held) & ((1 << bits) - 1));
    }
    buffer &= (1 << held) - 1;
  }
  if (held > 0) text += alphabet.charAt((buffer << (bits - held)) & ((1 << bits) - 1));
  const group = groupSize(encoding);
  return text.padEnd(Math.ceil(text.length / group) * group, "=");
}

/** Numbers of padding characters that can end a text. */
const paddings: Readonly<Record<BaseEncoding["bits"], readonly number[]>> = { 6: [0, 1, 2], 5: [0, 1, 3, 4, 6] };

/** The bytes of a text, or Go's message with the offset of the first wrong byte. Line breaks are skipped. */
export function decodeBase(text: string, encoding: BaseEncoding): Uint8Array | string {
  const { alphabet, bits, name } = encoding;
  // The usual case: nothing wrong and no line breaks.
  if (bits === 6 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, "base64");
  const group = groupSize(encoding);
  const input = Buffer.from(encodeUtf8(text)).toString("latin1");
  const wrong = (at: number): string => `illegal ${name} data at input byte ${at}`;
  const values: number[] = [];
  for (let i = 0; i < input.length; i++) {
    const char = input.charAt(i);
    if (char === "\n" || char === "\r") continue;
    if (char === "=") {
      const problem = checkPadding(input, i, { values: values.length % group, encoding });
      return problem === undefined ? pack(values, bits) : wrong(problem);
    }
    const value = alphabet.indexOf(char);
    if (value < 0) return wrong(i);
    values.push(value);
  }
  // What is left over lacks its padding: Go names the start of that group.
  const left = values.length % group;
  return left === 0 ? pack(values, bits) : wrong(input.length - left);
}

/** Offset of the first wrong byte from the padding on, or undefined. */
function checkPadding(
  input: string,
  start: number,
  { values, encoding }: { values: number; encoding: BaseEncoding },
): number | undefined {
  const group = groupSize(encoding);
  const needed = values === 0 ? 0 : group - values;
  if (needed === 0 || !paddings[encoding.bits].includes(needed)) return start;
  let found = 0;
  for (let i = start; i < input.length; i++) {
    const char = input.charAt(i);
    if (char === "\n" || char === "\r") continue;
    if (char !== "=" || found === needed) return i;
    found++;
  }
  return found === needed ? undefined : input.length;
}

function pack(values: readonly number[], bits: number): Uint8Array {
  const bytes: number[] = [];
  let buffer = 0;
  let held = 0;
  for (const value of values) {
    buffer = (buffer << bits) | value;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes.push((buffer >> held) & 0xff);
      buffer &= (1 << held) - 1;
    }
  }
  return Uint8Array.from(bytes);
}

const base64: BaseEncoding = {
  name: "base64",
  alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  bits: 6,
};

/** The bytes of a base64 text, or Go's message with the offset of the first wrong byte. Line breaks are skipped. */
export function decodeBase64(text: string): Uint8Array | string {
  return decodeBase(text, base64);
}
