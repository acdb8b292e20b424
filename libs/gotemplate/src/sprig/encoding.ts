import {
  type BaseEncoding,
  type FunctionMap,
  decodeBase,
  decodeBase64,
  decodeUtf8,
  define,
  encodeBase,
  encodeUtf8,
} from "@landscaper/golang";

const base32: BaseEncoding = { name: "base32", alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5 };

/** Sprig gives the message of a decoding error as the result. */
function textOf(decoded: Uint8Array | string): string {
  return typeof decoded === "string" ? decoded : decodeUtf8(decoded);
}

export const encodingFunctions: FunctionMap = {
  b64enc: define(["string"], ([text]) => Buffer.from(encodeUtf8(text)).toString("base64")),
  b64dec: define(["string"], ([text]) => textOf(decodeBase64(text))),
  b32enc: define(["string"], ([text]) => encodeBase(encodeUtf8(text), base32)),
  b32dec: define(["string"], ([text]) => textOf(decodeBase(text, base32))),
};
