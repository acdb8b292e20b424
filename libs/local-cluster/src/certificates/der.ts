/** The few DER encodings (X.690) that certificates need. */

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

export function set(...contents: readonly Uint8Array[]): Buffer {
  return der(0x31, ...contents);
}

/** A positive INTEGER from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const needsSign = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, needsSign ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

export function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octetString(content: Uint8Array): Buffer {
  return der(0x04, content);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), content);
}

export function utf8String(text: string): Buffer {
  return der(0x0c, Buffer.from(text, "utf8"));
}

/** GeneralizedTime, seconds precision. */
export function generalizedTime(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14);
  return der(0x18, Buffer.from(`${text}Z`, "ascii"));
}

/** OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap((arc) => base128(arc))]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
