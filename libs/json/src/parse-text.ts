import { unusedMark } from "./unused-mark.ts";

/** A text literal that is a key and has escapes, with its quotes: text.slice(start, end). */
interface EscapedKey {
  readonly start: number;
  readonly end: number;
}

/**
 * The value of a JSON text, as JSON.parse gives it. Throws what JSON.parse throws.
 *
 * JSON.parse of Node 24 and 26 (nodejs/node issue 63785) confuses keys with escapes. If the process has made an object
 * with the key `k\` (or `k\nl`) before, it reads the key `"k\n"` (or `"k\nlm"`) after the same other keys as that key:
 * it compares the known key with the characters of the text before it resolves escapes. So JSON.parse never reads such
 * keys here.
 */
export function parseText(text: string): unknown {
  if (!text.includes("\\")) return JSON.parse(text) as unknown;
  const keys = escapedKeys(text);
  if (keys.length === 0) return JSON.parse(text) as unknown;
  let value: unknown;
  const names = new Map<string, string>();
  try {
    value = JSON.parse(withoutEscapes(text, keys, names));
  } catch {
    return JSON.parse(text); // for the positions in its message
  }
  return names.size === 0 ? value : withNames(value, new Map(Array.from(names, ([name, written]) => [written, name])));
}

/** Reads each character once. */
function escapedKeys(text: string): EscapedKey[] {
  const keys: EscapedKey[] = [];
  let escape = text.indexOf("\\");
  for (let start = text.indexOf('"'); start !== -1 && escape !== -1;) {
    const last = endOfLiteral(text, start);
    if (last === -1) return keys;
    const end = last + 1;
    if (escape < start) escape = text.indexOf("\\", start);
    if (escape !== -1 && escape < last && isFollowedByColon(text, end)) keys.push({ start, end });
    start = text.indexOf('"', end);
  }
  return keys;
}

/** Index of the closing quote, or -1. */
export function endOfLiteral(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

function isFollowedByColon(text: string, end: number): boolean {
  let index = end;
  while (" \t\r\n".includes(text[index] ?? ":")) index += 1;
  return text[index] === ":";
}

/**
 * The text, with its keys written without escapes. A key that cannot be written so gets another name, noted in `names`
 * (key, name). Equal keys stay equal. Throws a SyntaxError at an escape that JSON does not have.
 */
function withoutEscapes(text: string, keys: readonly EscapedKey[], names: Map<string, string>): string {
  const decoded = keys.map(({ start, end }) => JSON.parse(text.slice(start, end)) as string);
  const prefix = unusedMark([text, ...decoded]);
  let written = "";
  let position = 0;
  keys.forEach(({ start, end }, index) => {
    written += text.slice(position, start) + literalOf(decoded[index] ?? "", prefix, names);
    position = end;
  });
  return written + text.slice(position);
}

function literalOf(key: string, prefix: string, names: Map<string, string>): string {
  const literal = JSON.stringify(key);
  if (!literal.includes("\\")) return literal;
  const name = names.get(key) ?? `${prefix}${names.size}`;
  names.set(key, name);
  return `"${name}"`;
}

type Container = Record<string | number, unknown>;

/** Returns the value with the keys' own names. Does not recurse: objects of users may be nested deeper than the stack. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const root: Container = { value };
  const open: Container[] = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Object.keys(container)) {
      const item = container[key];
      if (typeof item !== "object" || item === null) continue;
      const named = Array.isArray(item) ? item : renameKeys(item as Container, names); // an array has indices
      container[key] = named;
      open.push(named as Container);
    }
  }
  return root["value"];
}

function renameKeys(object: Container, names: ReadonlyMap<string, string>): Container {
  if (Object.keys(object).every((key) => !names.has(key))) return object;
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [names.get(key) ?? key, item]));
}
