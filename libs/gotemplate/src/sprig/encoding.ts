import {
  type BaseEncoding,
  type FunctionMap,
  decodeBase,
  decodeUtf8,
  define,
  encodeBase,
  encodeUtf8,
} from "@landscaper/golang";

const base64: BaseEncoding = {
  name: "base64",
  alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  bits: 6,
};
const base32: BaseEncoding = { name: "base32", alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5 };

/** The bytes of a base64 text, or Go's error message. */
export function decodeBase64(text: string): Uint8Array | string {
  return decodeBase(text, base64);
}

/** Sprig gives the message of a decoding error as the result. */
function decodeText(text: string, encoding: BaseEncoding): string {
  const decoded = decodeBase(text, encoding);
  return typeof decoded === "string" ? decoded : decodeUtf8(decoded);
}

export const encodingFunctions: FunctionMap = {
  b64enc: define(["string"], ([text]) => Buffer.from(encodeUtf8(text)).toString("base64")),
  b64dec: define(["string"], ([text]) => decodeText(text, base64)),
  b32enc: define(["string"], ([text]) => encodeBase(encodeUtf8(text), base32)),
  b32dec: define(["string"], ([text]) => decodeText(text, base32)),
};
