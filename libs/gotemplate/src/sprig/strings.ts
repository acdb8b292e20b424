import {
  type CallContext,
  type FunctionMap,
  type GoMap,
  type GoSlice,
  type Value,
  FunctionError,
  byteLength,
  define,
  defineVariadic,
  isAscii,
  isUnicodeSpace,
  latin1Of,
  lowerCase,
  sliceBytes,
  sprintf,
  stringMap,
  strings,
  titleCase,
  trimCharacters,
  trimSpace,
  upperCase,
  withType,
} from "@landscaper/golang";
import { compareStrings } from "@landscaper/goyaml";
import { textOf, textsOf } from "./text-of.ts";

function indent(spaces: number, text: string, context: CallContext): string {
  if (spaces < 0) throw new FunctionError("strings: negative Repeat count");
  context.checkSize(spaces);
  const padding = " ".repeat(spaces);
  const lines = text.split("\n");
  context.charge(lines.length * spaces + text.length);
  return padding + lines.join(`\n${padding}`);
}

/** What a part of a text counts, beside its characters. */
const unitsPerPart = 8;

function chargeParts(separator: string, text: string, context: CallContext): void {
  if (separator === "") {
    context.charge(text.length * unitsPerPart);
    return;
  }
  let count = 0;
  for (let i = text.indexOf(separator); i >= 0; i = text.indexOf(separator, i + separator.length)) count++;
  context.charge(count * unitsPerPart);
}

function truncate(count: number, text: string): string {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return sliceBytes(text, length + count, length);
  return count >= 0 && length > count ? sliceBytes(text, 0, count) : text;
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text);
  const [from, to] = start < 0 ? [0, end] : end < 0 || end > length ? [start, length] : [start, end];
  if (to < 0 || to > length)
    throw new FunctionError(`runtime error: slice bounds out of range [:${to}]${ofLength(to, length)}`);
  if (from > to) throw new FunctionError(`runtime error: slice bounds out of range [${from}:${to}]`);
  return sliceBytes(text, from, to);
}

function ofLength(to: number, length: number): string {
  return to < 0 ? "" : ` with length ${length}`;
}

function replaceAll(old: string, replacement: string, text: string): string {
  if (old !== "") return text.split(old).join(replacement);
  return (
    replacement +
    Array.from(text)
      .map((rune) => rune + replacement)
      .join("")
  );
}

/** strings.Split: by characters if the separator is empty. */
export function splitText(separator: string, text: string): string[] {
  return separator === "" ? Array.from(text) : text.split(separator);
}

/** strings.SplitN: at most `count` parts, the last one with the rest; negative: all. */
function splitLimited(separator: string, count: number, text: string): string[] {
  if (count === 0) return [];
  const parts = splitText(separator, text);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function partsMap(parts: readonly string[], context: CallContext): GoMap {
  context.charge(parts.length * unitsPerPart * 4);
  const map: GoMap = new Map(parts.map((part, i): [string, Value] => [`_${i}`, part]));
  return withType(map, stringMap);
}

function withoutNil(values: readonly Value[]): Value[] {
  return values.filter((value) => value !== null && value !== undefined);
}

export const stringFunctions: FunctionMap = {
  hello: define([], () => "Hello!"),
  trim: define(["string"], ([text]) => trimSpace(text)),
  trimAll: define(["string", "string"], ([set, text]) => trimCharacters(text, set)),
  trimall: define(["string", "string"], ([set, text]) => trimCharacters(text, set)),
  trimSuffix: define(["string", "string"], ([suffix, text]) =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  trimPrefix: define(["string", "string"], ([prefix, text]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  upper: define(["string"], ([text]) => upperCase(text)),
  lower: define(["string"], ([text]) => lowerCase(text)),
  title: define(["string"], ([text]) => titleCase(text)),
  repeat: define(["int", "string"], ([count, text], context) => {
    const times = count.toNumber();
    if (times < 0) throw new FunctionError("strings: negative Repeat count");
    context.charge(times * text.length);
    return text.repeat(text === "" ? 0 : times);
  }),
  trunc: define(["int", "string"], ([count, text]) => truncate(count.toNumber(), text)),
  substr: define(["int", "int", "string"], ([start, end, text]) => substring(start.toNumber(), end.toNumber(), text)),
  contains: define(["string", "string"], ([part, text]) => text.includes(part)),
  hasPrefix: define(["string", "string"], ([prefix, text]) => text.startsWith(prefix)),
  hasSuffix: define(["string", "string"], ([suffix, text]) => text.endsWith(suffix)),
  quote: defineVariadic([], "any", (_, values) =>
    withoutNil(values)
      .map((value) => sprintf("%q", [textOf(value)]))
      .join(" "),
  ),
  squote: defineVariadic([], "any", (_, values) =>
    withoutNil(values)
      .map((value) => `'${sprintf("%v", [value])}'`)
      .join(" "),
  ),
  cat: defineVariadic([], "any", (_, values) =>
    withoutNil(values)
      .map((value) => sprintf("%v", [value]))
      .join(" "),
  ),
  indent: define(["int", "string"], ([spaces, text], context) => indent(spaces.toNumber(), text, context)),
  nindent: define(["int", "string"], ([spaces, text], context) => `\n${indent(spaces.toNumber(), text, context)}`),
  replace: define(["string", "string", "string"], ([old, replacement, text], context) => {
    if (replacement.length > old.length) {
      context.charge(old === "" ? text.length * replacement.length : (text.length / old.length) * replacement.length);
    }
    return replaceAll(old, replacement, text);
  }),
  plural: define(["string", "string", "int"], ([one, many, count]) => (count.value === 1n ? one : many)),
  toString: define(["any"], ([value]) => textOf(value)),
  toStrings: define(["any"], ([value]) => strings(textsOf(value))),
  join: define(["string", "any"], ([separator, value], context) => {
    const texts = textsOf(value);
    context.charge(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
    return texts.join(separator);
  }),
  split: define(["string", "string"], ([separator, text], context) => {
    chargeParts(separator, text, context);
    return partsMap(splitText(separator, text), context);
  }),
  splitList: define(["string", "string"], ([separator, text], context) => {
    chargeParts(separator, text, context);
    return strings(splitText(separator, text));
  }),
  splitn: define(["string", "int", "string"], ([separator, count, text], context) => {
    chargeParts(separator, text, context);
    return partsMap(splitLimited(separator, count.toNumber(), text), context);
  }),
  sortAlpha: define(["any"], ([value]): GoSlice =>
    strings(sortTexts(value === null || value === undefined ? ["<nil>"] : textsOf(value))),
  ),
  nospace: define(["string"], ([text]) => removeSpace(text)),
};

function sortTexts(texts: string[]): string[] {
  return texts.toSorted(compareStrings);
}

/** goutils works on bytes and writes each as a character: text beyond ASCII that has white space is garbled as in Go. */
function removeSpace(text: string): string {
  if (isAscii(text)) return text.replace(/[\t\n\v\f\r ]+/g, "");
  const bytes = latin1Of(text);
  const kept = Array.from(bytes)
    .filter((char) => !isUnicodeSpace(char))
    .join("");
  return kept.length === bytes.length ? text : kept;
}
