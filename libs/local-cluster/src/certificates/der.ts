/** The few DER (X.690) encodings that an X.509 certificate needs. */

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** One value with tag, length and content. */
export function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...items: readonly Buffer[]): Buffer => tagged(0x30, ...items);
export const set = (...items: readonly Buffer[]): Buffer => tagged(0x31, ...items);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
/** An explicit context tag around a value. */
export const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 + number, content);

/** A non-negative integer of any size, big-endian. */
export function integer(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const minimal = bytes.subarray(start);
  return tagged(0x02, (minimal[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), minimal]) : minimal);
}

/** A bit string; `unusedBits` of the last byte do not count. */
export function bits(content: Buffer, unusedBits = 0): Buffer {
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

/** GeneralizedTime with seconds, or UTCTime before 2050 as RFC 5280 §4.1.2.5 demands. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), "ascii"))
    : tagged(0x18, Buffer.from(digits, "ascii"));
}
