import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** One character (U+0000..U+00FF) per byte: for functions that Go runs on bytes. */
export function latin1Of(text: string): string {
  return Buffer.from(encodeUtf8(text)).toString("latin1");
}

/** The inverse of latin1Of. */
export function fromLatin1(bytes: string): string {
  return decodeUtf8(Buffer.from(bytes, "latin1"));
}
