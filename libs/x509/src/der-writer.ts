/** The few DER (X.690) encodings that keys and X.509 certificates need. */
import { X509Error } from "./x509-error.ts";

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** One value with tag, length and content. */
export function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...items: readonly Buffer[]): Buffer => tagged(0x30, ...items);
/** A SET OF: its items are sorted by their bytes. */
export const set = (...items: readonly Buffer[]): Buffer => tagged(0x31, ...items.toSorted((a, b) => a.compare(b)));
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
export const nothing = (): Buffer => tagged(0x05);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
/** An explicit context tag around a value. */
export const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 + number, content);

/** Text of a name: PrintableString where the characters allow it, else UTF8String. */
export function text(value: string): Buffer {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? tagged(0x13, Buffer.from(value, "ascii")) : utf8(value);
}

/** A non-negative integer of any size, big-endian. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const minimal = bytes.length === 0 ? Buffer.from([0]) : bytes.subarray(start);
  return tagged(0x02, (minimal[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), minimal]) : minimal);
}

/** A bit string; `unusedBits` of the last byte do not count. */
export function bits(content: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), content);
}

/** "2.5.4.3" */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const septets = [arc % 128];
    for (let high = Math.floor(arc / 128); high > 0; high = Math.floor(high / 128))
      septets.unshift(0x80 | (high % 128));
    bytes.push(...septets);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** UTCTime for 1950 to 2049 as RFC 5280 §4.1.2.5 demands, else GeneralizedTime; to the second. Throws X509Error beyond year 9999. */
export function time(date: Date): Buffer {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) {
    throw new X509Error("asn1: structure error: cannot represent time as GeneralizedTime");
  }
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return year >= 1950 && year < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), "ascii"))
    : tagged(0x18, Buffer.from(digits, "ascii"));
}
