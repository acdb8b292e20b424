import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Data that nobody encrypted with this key; the message says no more than that. */
export class DecryptionError extends Error {}

const algorithm = "des-ede3-cbc";
const blockSize = 8;
const macSize = 32;

/**
 * The format of spiff's encrypt(): hex of a random block and triple DES (CBC) of text, its HMAC-SHA256 with a fixed key, and
 * padding. It is as weak as the original: it is for reading what was written, not for keeping secrets.
 */
export function encryptText(text: string, password: string, iv: Buffer): string {
  const content = Buffer.concat([Buffer.from(text), macOf(Buffer.from(text))]);
  const padding = blockSize - (content.length % blockSize);
  const cipher = createCipheriv(algorithm, keyOf(password), iv).setAutoPadding(false);
  // Each byte of the padding is one less than its length.
  const blocks = cipher.update(Buffer.concat([content, Buffer.alloc(padding, padding - 1)]));
  return Buffer.concat([iv, blocks, cipher.final()]).toString("hex");
}

/** The text again. Throws DecryptionError. */
export function decryptText(encrypted: string, password: string): string {
  // As the original, what follows the last pair of hex digits is not looked at.
  const bytes = Buffer.from(encrypted, "hex");
  if (bytes.length < blockSize) throw new DecryptionError("ciphertext too short");
  if (bytes.length % blockSize !== 0) throw new DecryptionError("ciphertext is not a multiple of the block size");
  const decipher = createDecipheriv(algorithm, keyOf(password), bytes.subarray(0, blockSize)).setAutoPadding(false);
  const content = Buffer.concat([decipher.update(bytes.subarray(blockSize)), decipher.final()]);
  const end = content.length - ((content.at(-1) ?? 0) + 1) - macSize;
  const text = content.subarray(0, Math.max(end, 0));
  const mac = content.subarray(text.length, text.length + macSize);
  if (end < 0 || !timingSafeEqual(mac, macOf(text))) throw new DecryptionError("wrong key or damaged text");
  return text.toString("utf8");
}

function macOf(text: Buffer): Buffer {
  return createHmac("sha256", "spiff is a cool tool").update(text).digest();
}

/** 16 bytes of the password, filled up with the MD5 of nothing, the first 8 of them twice. */
function keyOf(password: string): Buffer {
  const filled = Buffer.concat([Buffer.from(password), createHash("md5").digest()]);
  return Buffer.concat([filled.subarray(0, 16), filled.subarray(0, 8)]);
}
