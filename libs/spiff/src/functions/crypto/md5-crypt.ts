import { createHash } from "node:crypto";

const digits = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes of the digest in the order of the text, in groups of three, highest byte first. */
const groups = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

/** A salt of 8 characters from 8 random bytes. */
export function md5CryptSalt(random: Uint8Array): string {
  return [...random].map((byte) => digits[byte & 63]).join("");
}

/** The MD5-based hash of passwords of FreeBSD ("$1$") and Apache ("$apr1$"); only 8 characters of the salt count. */
export function md5Crypt(password: string, salt: string, magic: string): string {
  const key = Buffer.from(password);
  const saltBytes = Buffer.from(salt).subarray(0, 8);
  const alternate = md5(key, saltBytes, key);
  const parts: Buffer[] = [key, Buffer.from(magic), saltBytes];
  for (let rest = key.length; rest > 0; rest -= 16) parts.push(alternate.subarray(0, Math.min(rest, 16)));
  for (let rest = key.length; rest > 0; rest >>= 1) parts.push((rest & 1) === 1 ? Buffer.alloc(1) : key.subarray(0, 1));
  let digest = md5(...parts);
  for (let round = 0; round < 1000; round++) {
    const isOdd = round % 2 === 1;
    digest = md5(
      isOdd ? key : digest,
      ...(round % 3 === 0 ? [] : [saltBytes]),
      ...(round % 7 === 0 ? [] : [key]),
      isOdd ? digest : key,
    );
  }
  return `${magic}${saltBytes.toString()}$${encode(digest)}`;
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function encode(digest: Buffer): string {
  const byte = (index: number): number => digest[index] ?? 0;
  const numbers = groups.map(([high, middle, low]) => toText((byte(high) << 16) | (byte(middle) << 8) | byte(low), 4));
  return [...numbers, toText(byte(11), 2)].join("");
}

/** Base 64 with the lowest digit first. */
function toText(value: number, length: number): string {
  return Array.from({ length }, (_, index) => digits[(value >> (6 * index)) & 63]).join("");
}
