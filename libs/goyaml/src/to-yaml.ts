import { compareStrings } from "./compare-strings.ts";
import { formatFloat } from "./format-float.ts";
import { jsonNumber } from "./go-json.ts";
import { compareKeys } from "./key-order.ts";
import { fitsInt64, fitsUint64 } from "./parse-number.ts";
import { isEntries, plainValue, type PlainEntries } from "./plain-value.ts";
import { analyzeScalar, styleOfString } from "./scalar-style.ts";
import { YamlError } from "./yaml-error.ts";
import { YamlWriter } from "./yaml-writer.ts";

/** Keys longer than this are written with "? ". */
const longestSimpleKey = 128;

/**
 * YAML as sigs.k8s.io/yaml writes it, byte for byte: through JSON, then go-yaml v2. Ends with a newline. Numbers are
 * float64, bigint integers; see plainValue for the rest. Throws YamlError for control characters that YAML does not allow.
 */
export function toYaml(value: unknown): string {
  const writer = new YamlWriter();
  writeNode(writer, value, false);
  writer.writeIndent();
  return writer.text;
}

function writeNode(writer: YamlWriter, value: unknown, isMapValue: boolean): void {
  const plain = plainValue(value);
  if (plain === null || typeof plain !== "object") writeScalar(writer, plain, false);
  else if (isEntries(plain)) writeMap(writer, plain);
  else writeList(writer, plain, isMapValue);
}

function writeList(writer: YamlWriter, items: readonly unknown[], isMapValue: boolean): void {
  if (items.length === 0) {
    writeEmpty(writer, "[", "]");
    return;
  }
  writer.indented({ flow: false, indentless: isMapValue && !writer.isIndention }, () => {
    for (const item of items) {
      writer.writeIndent();
      writer.writeIndicator("-", { space: true, isIndention: true });
      writeNode(writer, item, false);
    }
  });
}

function writeEmpty(writer: YamlWriter, open: string, close: string): void {
  writer.writeIndicator(open, { space: true, isSpace: true });
  writer.writeIndicator(close, { space: false });
}

function writeMap(writer: YamlWriter, map: PlainEntries): void {
  if (map.entries.length === 0) {
    writeEmpty(writer, "{", "}");
    return;
  }
  writer.indented({ flow: false, indentless: false }, () => {
    for (const [key, value] of sortEntries(map)) {
      writer.writeIndent();
      writeKey(writer, key);
      writeNode(writer, value, true);
    }
  });
}

/** JSON's order first, because go-yaml's own order does not tell all keys apart. */
function sortEntries(map: PlainEntries): readonly (readonly [string, unknown])[] {
  return map.entries.toSorted(([a], [b]) => compareStrings(a, b)).toSorted(([a], [b]) => compareKeys(a, b));
}

function writeKey(writer: YamlWriter, key: string): void {
  const isMultiline = /[\n\r\u0085\u2028\u2029]/.test(key);
  if (!isMultiline && Buffer.byteLength(key) <= longestSimpleKey) {
    writeScalar(writer, key, true);
    writer.writeIndicator(":", { space: false });
    return;
  }
  writer.writeIndicator("?", { space: true, isIndention: true });
  writeScalar(writer, key, false);
  writer.writeIndent();
  writer.writeIndicator(":", { space: true, isIndention: true });
}

function writeScalar(writer: YamlWriter, value: null | boolean | number | bigint | string, isSimpleKey: boolean): void {
  writer.indented({ flow: true, indentless: false }, () => {
    if (typeof value === "string") writeString(writer, value, isSimpleKey);
    else {
      const text = scalarText(value);
      writer.writePlain(text, Array.from(text), !isSimpleKey);
    }
  });
}

function scalarText(value: null | boolean | number | bigint): string {
  if (typeof value === "bigint") return integerText(value);
  if (typeof value !== "number") return String(value);
  const json = jsonNumber(value);
  if (/^-?[0-9]+$/.test(json)) return integerText(BigInt(json));
  return formatFloat(value, "g", -1);
}

/** Integers beyond 64 bits are read back as floats. */
function integerText(value: bigint): string {
  return fitsInt64(value) || fitsUint64(value) ? value.toString() : formatFloat(Number(value), "g", -1);
}

function writeString(writer: YamlWriter, value: string, isSimpleKey: boolean): void {
  const text = throughJson(value);
  const chars = Array.from(text);
  const analysis = analyzeScalar(chars);
  switch (styleOfString(text, analysis, { isSimpleKey })) {
    case "plain":
      return writer.writePlain(text, chars, !isSimpleKey);
    case "single":
      return writer.writeSingleQuoted(chars, !isSimpleKey);
    case "double":
      return writer.writeDoubleQuoted(chars, !isSimpleKey);
    case "literal":
      return writer.writeLiteral(chars);
  }
}

/**
 * What the way through JSON and go-yaml's reader does to a text: characters that YAML does not allow are an error, and
 * a next-line character (U+0085) is folded like any line break in a quoted scalar.
 */
function throughJson(value: string): string {
  if (!/[\u007f-\u009f\ud800-\udfff\ufffe\uffff]/.test(value)) return value;
  const text = value.replace(/\p{Cs}/gu, "\ufffd");
  if (/[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/.test(text))
    throw new YamlError("yaml: control characters are not allowed");
  return text.replace(/ *\u0085[ \u0085]*/g, (breaks) => {
    const count = breaks.split("\u0085").length - 1;
    return count === 1 ? " " : "\n".repeat(count - 1);
  });
}
