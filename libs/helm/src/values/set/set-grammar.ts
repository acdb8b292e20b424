import { GoInt, type Value, fromPlain } from "@landscaper/golang";
import { fitsInt64, readGoJson } from "@landscaper/goyaml";
import type { SetReader } from "./set-reader.ts";

/** How the values of a flag are written. */
export interface SetGrammar {
  /** Characters that end a key. */
  readonly keyEnds: string;
  readonly hasEscapes: boolean;
  /** The value behind "=", with the comma that ends it. */
  readonly readValue: (reader: SetReader) => SetValue;
}

export interface SetValue {
  readonly value: Value;
  /** Nothing stood behind "=": the flag ends there. */
  readonly isMissing?: boolean;
}

/** What a list's item or a single value means. */
type ReadItem = (text: string) => Value;

/** --set, --set-string and --set-file: "a.b[0]=x,c={y,z}", with "\" before characters that are to mean themselves. */
export function listGrammar(readItem: ReadItem): SetGrammar {
  return {
    keyEnds: "=[,.",
    hasEscapes: true,
    readValue: (reader) => {
      if (reader.isAtEnd) return { value: "", isMissing: true };
      if (reader.take("{")) return { value: readList(reader, readItem) };
      return { value: readItem(reader.until(",", true).text) };
    },
  };
}

function readList(reader: SetReader, readItem: ReadItem): Value {
  const items: Value[] = [];
  for (;;) {
    const { text, end } = reader.until(",}", true);
    if (end === "") throw new SetSyntaxError("list must terminate with '}'");
    items.push(readItem(text));
    if (end === ",") continue;
    reader.take(",");
    return items;
  }
}

/** --set-json: values are JSON. */
export const jsonGrammar: SetGrammar = {
  keyEnds: "=[,.",
  hasEscapes: true,
  readValue: (reader) => {
    if (endsValue(reader)) return { value: null };
    const first = readGoJson(reader.rest());
    if (first === undefined) return { value: null };
    reader.skip(first.end);
    endsValue(reader);
    return { value: fromPlain(first.value) };
  },
};

function endsValue(reader: SetReader): boolean {
  reader.skipSpaces();
  return reader.isAtEnd || reader.take(",");
}

/** --set-literal: one key, and all that follows "=" as it is. */
export const literalGrammar: SetGrammar = {
  keyEnds: "=[.",
  hasEscapes: false,
  readValue: (reader) => {
    const value = reader.rest();
    reader.skip(value.length);
    return { value };
  },
};

/** What --set makes of a text: null, booleans and integers without leading zeros; anything else stays text. */
export function typedItem(text: string): Value {
  switch (text.toUpperCase()) {
    case "TRUE":
      return true;
    case "FALSE":
      return false;
    case "NULL":
      return null;
    case "0":
      return new GoInt("int64", 0);
  }
  if (!/^[+-]?\d+$/.test(text) || text.startsWith("0")) return text;
  const number = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return fitsInt64(number) ? new GoInt("int64", number) : text;
}

/** What is wrong with a --set text, in Helm's words. */
export class SetSyntaxError extends Error {
  override readonly name = "SetSyntaxError";
}
