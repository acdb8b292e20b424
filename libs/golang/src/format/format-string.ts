import { encodeUtf8 } from "../value/utf8.ts";
import { type Flags, pad, padSpaces, truncate } from "./flags.ts";
import { canBackquote, quote } from "@landscaper/goyaml";

/** A string by a string verb; undefined for a verb that is none. */
export function formatString(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case "v":
      return flags.sharpV ? formatQuoted(text, flags) : pad(truncate(text, flags), flags);
    case "s":
      return pad(truncate(text, flags), flags);
    case "q":
      return formatQuoted(text, flags);
    case "x":
    case "X":
      return formatHex(encodeUtf8(text), verb, flags);
    default:
      return undefined;
  }
}

function formatQuoted(text: string, flags: Flags): string {
  const cut = truncate(text, flags);
  if (flags.sharp && canBackquote(cut)) return pad(`\`${cut}\``, flags);
  return pad(quote(cut, flags.plus), flags);
}

/** `%x` of bytes: pairs of digits, apart by the space flag, prefixed by the sharp flag. */
export function formatHex(bytes: Uint8Array, verb: "x" | "X", flags: Flags): string {
  const length = flags.precision === undefined ? bytes.length : Math.min(flags.precision, bytes.length);
  if (flags.width === undefined && !flags.sharp && !flags.space) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("hex");
    return verb === "X" ? text.toUpperCase() : text;
  }
  const prefix = flags.sharp ? `0${verb}` : "";
  const pairs: string[] = [];
  for (const byte of bytes.subarray(0, length)) pairs.push(byte.toString(16).padStart(2, "0"));
  const cased = verb === "X" ? pairs.map((pair) => pair.toUpperCase()) : pairs;
  if (cased.length === 0) return pad("", flags);
  const text = flags.space ? cased.map((pair) => prefix + pair).join(" ") : prefix + cased.join("");
  return flags.minus ? padSpaces(text, flags) : pad(text, flags);
}
