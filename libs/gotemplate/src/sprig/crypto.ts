import {
  type CallContext,
  type FunctionMap,
  FunctionError,
  decodeBase64,
  decodeUtf8,
  define,
  encodeUtf8,
} from "@landscaper/golang";
import { createCipheriv, createDecipheriv, createHmac, hash, scryptSync } from "node:crypto";
import { passwordCharacters, passwordTemplates } from "./password-templates.ts";

function hashFunction(algorithm: "sha1" | "sha256" | "sha512"): FunctionMap[string] {
  return define(["string"], ([text]) => hash(algorithm, text.isWellFormed() ? text : encodeUtf8(text), "hex"));
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  // So many bytes can be added before the sums must be cut.
  for (let start = 0; start < bytes.length; start += 4096) {
    const end = Math.min(start + 4096, bytes.length);
    for (let i = start; i < end; i++) {
      a += bytes[i] ?? 0;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

/** A password of 32 bytes: cut or filled up with zeros, as sprig does. */
function aesKey(password: string): Buffer {
  const key = Buffer.alloc(32);
  Buffer.from(encodeUtf8(password)).copy(key);
  return key;
}

function encrypt(password: string, text: string, context: CallContext): string {
  if (text === "") return "";
  const iv = Buffer.from(context.random(16));
  const cipher = createCipheriv("aes-256-cbc", aesKey(password), iv);
  return Buffer.concat([iv, cipher.update(encodeUtf8(text)), cipher.final()]).toString("base64");
}

function decrypt(password: string, text: string): string {
  if (text === "") return "";
  const data = decodeBase64(text);
  if (typeof data === "string") throw new FunctionError(data);
  if (data.length < 16) {
    const capacity = (text.replace(/[\r\n]/g, "").length / 4) * 3;
    throw new FunctionError(`runtime error: slice bounds out of range [:16] with capacity ${capacity}`);
  }
  if (data.length % 16 !== 0) throw new FunctionError("crypto/cipher: input not full blocks");
  if (data.length === 16) throw new FunctionError("runtime error: index out of range [-1]");
  const decipher = createDecipheriv("aes-256-cbc", aesKey(password), data.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(data.subarray(16)), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  if (padding > plain.length)
    throw new FunctionError(`runtime error: slice bounds out of range [:${plain.length - padding}]`);
  return decodeUtf8(plain.subarray(0, plain.length - padding));
}

const seedName = "com.lyndir.masterpassword";

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(encodeUtf8(text));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

interface PasswordRequest {
  readonly counter: number;
  readonly type: string;
  readonly password: string;
  readonly user: string;
  readonly site: string;
}

/** The Master Password algorithm, version 3, as sprig has it. */
function derivePassword({ counter, type, password, user, site }: PasswordRequest): string {
  const templates = Object.hasOwn(passwordTemplates, type) ? passwordTemplates[type] : undefined;
  if (templates === undefined) return `cannot find password template ${type}`;
  const salt = Buffer.concat([Buffer.from(seedName), lengthPrefixed(user)]);
  const options = { N: 32768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 };
  const key = scryptSync(Buffer.from(encodeUtf8(password)), salt, 64, options);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter >>> 0);
  const seed = createHmac("sha256", key)
    .update(Buffer.concat([Buffer.from(seedName), lengthPrefixed(site), count]))
    .digest();
  const template = templates[(seed[0] ?? 0) % templates.length] ?? "";
  return Array.from(template, (kind, i) => {
    const characters = passwordCharacters[kind] ?? "";
    return characters.charAt((seed[i + 1] ?? 0) % characters.length);
  }).join("");
}

/** Hashes, symmetric encryption, and passwords that are derived from others. */
export const cryptoFunctions: FunctionMap = {
  sha1sum: hashFunction("sha1"),
  sha256sum: hashFunction("sha256"),
  sha512sum: hashFunction("sha512"),
  adler32sum: define(["string"], ([text]) => String(adler32(encodeUtf8(text)))),
  encryptAES: define(["string", "string"], ([password, text], context) => encrypt(password, text, context)),
  decryptAES: define(["string", "string"], ([password, text]) => decrypt(password, text)),
  derivePassword: define(
    ["uint32", "string", "string", "string", "string"],
    ([counter, type, password, user, site], context) => {
      // scrypt is made to be slow: about 200 ms each.
      if (Object.hasOwn(passwordTemplates, type)) context.spend(1_000_000);
      return derivePassword({ counter: counter.toNumber(), type, password, user, site });
    },
  ),
};
