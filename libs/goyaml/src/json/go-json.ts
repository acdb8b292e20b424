import { compareStrings } from "../strings/compare-strings.ts";
import { formatFloat } from "../numbers/format-float.ts";
import { isEntries, OrderedEntries, plainValue } from "../plain-value.ts";

export interface GoJsonOptions {
  /** Text of one level of indentation, as for json.MarshalIndent; compact when absent. */
  readonly indent?: string | undefined;
  /** Whether <, > and & are written as \u003c etc. Default true, as json.Marshal. */
  readonly escapeHtml?: boolean | undefined;
}

/**
 * JSON as Go's encoding/json writes it: keys sorted by bytes, its number formats and escapes. Numbers are float64,
 * bigint integers. Throws on NaN and infinities with Go's message.
 */
export function goJson(value: unknown, options: GoJsonOptions = {}): string {
  return write(value, "", { indent: options.indent, escapeHtml: options.escapeHtml !== false });
}

interface Settings {
  readonly indent: string | undefined;
  readonly escapeHtml: boolean;
}

function write(value: unknown, prefix: string, settings: Settings): string {
  const plain = plainValue(value);
  if (plain === null) return "null";
  if (typeof plain === "string") return jsonString(plain, settings.escapeHtml);
  if (typeof plain === "number") return jsonNumber(plain);
  if (typeof plain === "boolean" || typeof plain === "bigint") return plain.toString();
  const inner = settings.indent === undefined ? "" : prefix + settings.indent;
  if (!isEntries(plain))
    return wrap(
      plain.map((item) => write(item, inner, settings)),
      "[]",
      { prefix, settings },
    );
  const colon = settings.indent === undefined ? ":" : ": ";
  const entries =
    plain instanceof OrderedEntries ? plain.entries : plain.entries.toSorted(([a], [b]) => compareStrings(a, b));
  const items = entries.map(
    ([key, item]) => jsonString(key, settings.escapeHtml) + colon + write(item, inner, settings),
  );
  return wrap(items, "{}", { prefix, settings });
}

function wrap(items: readonly string[], brackets: string, at: { prefix: string; settings: Settings }): string {
  const { indent } = at.settings;
  const open = brackets.charAt(0);
  const close = brackets.charAt(1);
  if (items.length === 0) return brackets;
  if (indent === undefined) return open + items.join(",") + close;
  const line = `\n${at.prefix}${indent}`;
  return `${open}${line}${items.join(`,${line}`)}\n${at.prefix}${close}`;
}

/** A float64 as encoding/json writes it. */
export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`json: unsupported value: ${formatFloat(value, "g", -1)}`);
  const magnitude = Math.abs(value);
  // JavaScript writes these as Go does, but for the sign of zero.
  if (magnitude >= 1e-6 && magnitude < 1e21) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  // Go shortens e-09 to e-9.
  return formatFloat(value, "e", -1).replace(/e-0(\d)$/, "e-$1");
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

// eslint-disable-next-line no-control-regex -- control characters are what is escaped
const maybeSpecial = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

function jsonString(text: string, escapeHtml: boolean): string {
  if (!maybeSpecial.test(text)) return `"${text}"`;
  // eslint-disable-next-line no-control-regex -- control characters are what is escaped
  const special = escapeHtml ? /["\\<>&\u0000-\u001f\u2028\u2029]|\p{Cs}/gu : /["\\\u0000-\u001f\u2028\u2029]|\p{Cs}/gu;
  return `"${pieces(text)
    .map((piece) => piece.replace(special, escapeChar))
    .join("")}"`;
}

/** Characters that are escaped at a time: beyond that the platform takes too much memory. */
const pieceLength = 65_536;

function pieces(text: string): string[] {
  if (text.length <= pieceLength) return [text];
  const result: string[] = [];
  for (let start = 0; start < text.length;) {
    const last = text.charCodeAt(start + pieceLength - 1);
    const isSplitPair = last >= 0xd800 && last <= 0xdbff;
    const end = start + pieceLength - (isSplitPair ? 1 : 0);
    result.push(text.slice(start, end));
    start = end;
  }
  return result;
}

function escapeChar(char: string): string {
  const short = shortEscapes[char];
  if (short !== undefined) return short;
  const code = char.charCodeAt(0);
  // A lone surrogate stands for bytes that are no UTF-8.
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
