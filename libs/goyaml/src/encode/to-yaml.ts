import { type Characters, charactersOf } from "../strings/characters.ts";
import { compareStrings } from "../strings/compare-strings.ts";
import { formatFloat } from "../numbers/format-float.ts";
import { goJson, jsonNumber } from "../json/go-json.ts";
import { compareKeys } from "./key-order.ts";
import { fitsInt64, fitsUint64 } from "../numbers/parse-number.ts";
import { isEntries, OrderedEntries, plainValue, type PlainEntries } from "../plain-value.ts";
import { analyzeScalar, type ScalarStyle, styleOfString } from "../scalars/scalar-style.ts";
import { YamlError } from "../yaml-error.ts";
import { VerbatimScalar } from "../scalars/verbatim-scalar.ts";
import { YamlWriter } from "./yaml-writer.ts";

/** Keys longer than this are written with "? ". */
const longestSimpleKey = 128;

/** Where the versions of go-yaml, and candiedyaml, differ. */
interface Dialect {
  readonly bestWidth: number;
  /** Whether a list under a key is indented. */
  readonly indentsLists: boolean;
  /** Whether OrderedEntries stay in their order. */
  readonly keepsOrder: boolean;
  /** Whether all characters beyond ASCII are escaped. */
  readonly escapesUnicode: boolean;
  /** Whether every block scalar that ends with a line break says so. */
  readonly marksFinalBreaks: boolean;
  /** Whether texts that YAML 1.1 could take for numbers to the base 60 are quoted. */
  readonly quotesBase60: boolean;
  /** The order of keys. */
  compareKeys(a: string, b: string): number;
  /** Whether tabs may stand in block scalars. */
  readonly allowsTabsInBlocks: boolean;
  /** Throws YamlError for a key that cannot be written. */
  checkKey(key: string): void;
  /** What becomes of a text before its style is chosen. */
  prepareText(text: string): string;
  /** Whether a text that YAML 1.1 takes for a string could be read as something else. */
  isAmbiguous(text: string): boolean;
  /** Text of a number. */
  numberText(value: number | bigint): string;
}

/** sigs.k8s.io/yaml: JSON first, then go-yaml v2. */
const kubernetesYaml: Dialect = {
  bestWidth: 80,
  indentsLists: false,
  keepsOrder: false,
  escapesUnicode: false,
  marksFinalBreaks: false,
  quotesBase60: true,
  compareKeys: (a, b) => compareKeys(a, b),
  allowsTabsInBlocks: false,
  checkKey: checkJsonKey,
  prepareText: throughJson,
  isAmbiguous: () => false,
  numberText: (value) => {
    if (typeof value === "bigint") return integerText(value);
    const json = jsonNumber(value);
    return /^-?[0-9]+$/.test(json) ? integerText(BigInt(json)) : formatFloat(value, "g", -1);
  },
};

/** go-yaml v3, its encoder with an indentation of 2. */
const yamlV3: Dialect = {
  bestWidth: Number.POSITIVE_INFINITY,
  indentsLists: true,
  keepsOrder: true,
  escapesUnicode: false,
  marksFinalBreaks: false,
  quotesBase60: true,
  compareKeys: (a, b) => compareKeys(a, b),
  allowsTabsInBlocks: true,
  checkKey: () => undefined,
  prepareText: (text) => text.toWellFormed(),
  isAmbiguous: (text) => /^[-+]?0o[0-7_]+$/.test(text),
  numberText: (value) => {
    if (typeof value === "bigint") return value.toString();
    if (Number.isFinite(value)) return formatFloat(value, "g", -1);
    return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
  },
};

/** What candiedyaml reads as something else than a string: numbers with several signs, words in any mixture of cases. */
const strangeNumber = /^(?:[-+]{2,}|[-+]?(?=\._))(?=[^eE]*[0-9])[0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?$/;
const strangeWord = /^(?:yes|no|on|off|true|false|[-+]?\.inf|\.nan)$/i;

/** candiedyaml, as spiff has it. */
const candiedYaml: Dialect = {
  bestWidth: 80,
  indentsLists: false,
  keepsOrder: false,
  escapesUnicode: true,
  marksFinalBreaks: true,
  quotesBase60: false,
  compareKeys: compareStrings,
  allowsTabsInBlocks: false,
  checkKey: () => undefined,
  prepareText: (text) => text.toWellFormed(),
  isAmbiguous: (text) => strangeNumber.test(text) || strangeWord.test(text),
  numberText: (value) => {
    if (typeof value === "bigint") return value.toString();
    if (value === Number.POSITIVE_INFINITY) return "+.inf";
    return formatFloat(value, Number.isSafeInteger(value) ? "f" : "g", -1);
  },
};

/**
 * YAML as sigs.k8s.io/yaml writes it, byte for byte: through JSON, then go-yaml v2. Ends with a newline. Numbers are
 * float64, bigint integers; see plainValue for the rest. Throws YamlError for control characters that YAML does not allow.
 */
export function toYaml(value: unknown): string {
  return write(value, kubernetesYaml);
}

/**
 * YAML as go-yaml v3 writes it with an indentation of 2: lists under keys are indented, lines are not folded, and floats
 * keep their form. Ends with a newline. Values as for toYaml.
 */
export function toYamlV3(value: unknown): string {
  return write(value, yamlV3);
}

/**
 * YAML as candiedyaml writes it in spiff: keys in the order of their bytes, all beyond ASCII escaped, whole floats without
 * exponent. Ends with a newline. Values as for toYaml.
 */
export function toCandiedYaml(value: unknown): string {
  return write(value, candiedYaml);
}

/** A place to write to, and how. */
interface Output {
  readonly writer: YamlWriter;
  readonly dialect: Dialect;
}

function write(value: unknown, dialect: Dialect): string {
  const writer = new YamlWriter(dialect);
  writeNode({ writer, dialect }, value, false);
  writer.writeIndent();
  return writer.text;
}

function writeNode(output: Output, value: unknown, isMapValue: boolean): void {
  const plain = value instanceof VerbatimScalar ? value : plainValue(value);
  if (plain instanceof VerbatimScalar) output.writer.writePlain(plain.text, charactersOf(plain.text), false);
  else if (plain === null || typeof plain !== "object") writeScalar(output, plain, false);
  else if (isEntries(plain)) writeMap(output, plain);
  else writeList(output, plain, isMapValue);
}

function writeList(output: Output, items: readonly unknown[], isMapValue: boolean): void {
  const { writer, dialect } = output;
  if (items.length === 0) {
    writeEmpty(writer, "[", "]");
    return;
  }
  const indentless = !dialect.indentsLists && isMapValue && !writer.isIndention;
  writer.indented({ flow: false, indentless }, () => {
    for (const item of items) {
      writer.writeIndent();
      writer.writeIndicator("-", { space: true, isIndention: true });
      writeNode(output, item, false);
    }
  });
}

function writeEmpty(writer: YamlWriter, open: string, close: string): void {
  writer.writeIndicator(open, { space: true, isSpace: true });
  writer.writeIndicator(close, { space: false });
}

function writeMap(output: Output, map: PlainEntries): void {
  const { writer, dialect } = output;
  if (map.entries.length === 0) {
    writeEmpty(writer, "{", "}");
    return;
  }
  writer.indented({ flow: false, indentless: false }, () => {
    for (const [key, value] of sortEntries(map, dialect)) {
      writer.writeIndent();
      writeKey(output, key);
      writeNode(output, value, true);
    }
  });
}

/** JSON's order where go-yaml's own does not tell keys apart. */
function sortEntries(map: PlainEntries, dialect: Dialect): readonly (readonly [string, unknown])[] {
  if (dialect.keepsOrder && map instanceof OrderedEntries) return map.entries;
  return map.entries.toSorted(([a], [b]) => dialect.compareKeys(a, b) || compareStrings(a, b));
}

function writeKey(output: Output, key: string): void {
  const { writer, dialect } = output;
  dialect.checkKey(key);
  const isMultiline = /[\n\r\u0085\u2028\u2029]/.test(key);
  if (!isMultiline && Buffer.byteLength(key) <= longestSimpleKey) {
    writeScalar(output, key, true);
    writer.writeIndicator(":", { space: false });
    return;
  }
  writer.writeIndicator("?", { space: true, isIndention: true });
  writeScalar(output, key, false);
  writer.writeIndent();
  writer.writeIndicator(":", { space: true, isIndention: true });
}

function writeScalar(output: Output, value: null | boolean | number | bigint | string, isSimpleKey: boolean): void {
  const { writer, dialect } = output;
  writer.indented({ flow: true, indentless: false }, () => {
    if (typeof value === "string") writeString(output, value, isSimpleKey);
    else {
      const text = typeof value === "number" || typeof value === "bigint" ? dialect.numberText(value) : String(value);
      writer.writePlain(text, text, !isSimpleKey);
    }
  });
}

/** Integers beyond 64 bits are read back as floats. */
function integerText(value: bigint): string {
  return fitsInt64(value) || fitsUint64(value) ? value.toString() : formatFloat(Number(value), "g", -1);
}

function writeString({ writer, dialect }: Output, value: string, isSimpleKey: boolean): void {
  const text = dialect.prepareText(value);
  const chars = charactersOf(text);
  switch (styleOf({ text, chars, isSimpleKey }, dialect)) {
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

interface StringAtPlace {
  readonly text: string;
  readonly chars: Characters;
  readonly isSimpleKey: boolean;
}

/** Styles of texts, as keys and as values. */
interface KnownStyles {
  readonly keys: Map<string, ScalarStyle>;
  readonly values: Map<string, ScalarStyle>;
}

/** Styles of short texts, which come again and again. */
const knownStyles = new WeakMap<Dialect, KnownStyles>();
const maxKnownStyles = 10_000;
const longestKnownText = 64;

function styleOf(scalar: StringAtPlace, dialect: Dialect): ScalarStyle {
  if (scalar.text.length > longestKnownText) return findStyle(scalar, dialect);
  let known = knownStyles.get(dialect);
  if (known === undefined) {
    known = { keys: new Map(), values: new Map() };
    knownStyles.set(dialect, known);
  }
  const styles = scalar.isSimpleKey ? known.keys : known.values;
  let style = styles.get(scalar.text);
  if (style === undefined) {
    style = findStyle(scalar, dialect);
    if (styles.size >= maxKnownStyles) styles.clear();
    styles.set(scalar.text, style);
  }
  return style;
}

function findStyle({ text, chars, isSimpleKey }: StringAtPlace, dialect: Dialect): ScalarStyle {
  // Where they are allowed, tabs count as any other character.
  const shown = dialect.allowsTabsInBlocks && text.includes("\n") ? text.replaceAll("\t", "x") : text;
  const analysis = analyzeScalar(shown, shown === text ? chars : charactersOf(shown), dialect);
  const style = styleOfString(text, analysis, { isSimpleKey, quotesBase60: dialect.quotesBase60 });
  return style === "plain" && dialect.isAmbiguous(text) ? "double" : style;
}

/** The JSON is read as YAML, where keys of one line may have 1024 characters, and a next-line character ends a line. */
function checkJsonKey(key: string): void {
  const hasBreak = key.includes("\u0085");
  // Characters of JSON are at most six for one.
  if (!hasBreak && (key.length <= 170 || Array.from(goJson(key)).length <= 1024)) return;
  throw new YamlError(`yaml: ${hasBreak ? "line 1: " : ""}did not find expected ',' or '}'`);
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
