import { componentError } from "../component-error.ts";

/** Throws LandscaperError unless the text is base64; `where` names the field. */
export function decodeBase64(text: string, where: string): Buffer {
  const plain = text.replaceAll(/\s/g, "");
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.length % 4 === 0) return Buffer.from(plain, "base64");
  throw componentError(
    "InvalidComponent",
    `${where}: expected base64 text. Encode the content, for example with "base64 -w0".`,
  );
}
