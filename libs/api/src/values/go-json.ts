/** How Go's encoding/json would write it. */
export interface GoJsonOptions {
  /** Spaces per level; 0 or absent: everything on one line. */
  readonly indent?: number | undefined;
  /** Write <, > and & as escapes, as Go does unless told otherwise. Default true. */
  readonly escapeHtml?: boolean | undefined;
}

const htmlCharacters = /[<>&]/g;
// JSON.stringify leaves both as they are; Go escapes them, because JavaScript once did not accept them in source.
const lineSeparators = /[\u2028\u2029]/g;

/** Go replaces what is no valid Unicode by U+FFFD. */
export function replaceLoneSurrogates(text: string): string {
  return text.toWellFormed();
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function writeString(text: string, escapeHtml: boolean): string {
  const escaped = JSON.stringify(replaceLoneSurrogates(text)).replace(lineSeparators, escapeCharacter);
  return escapeHtml ? escaped.replace(htmlCharacters, escapeCharacter) : escaped;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
  return Object.is(value, -0) ? "-0" : String(value);
}

// Below it both orders agree.
const beyondSurrogates = /[\uD800-\uFFFF]/;

/** Go sorts keys by their UTF-8 bytes; JavaScript would sort by UTF-16 units. */
function compareUtf8(a: string, b: string): number {
  if (beyondSurrogates.test(a) || beyondSurrogates.test(b)) {
    return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
  }
  return a < b ? -1 : Number(a > b);
}

function wrap(
  open: string,
  parts: readonly string[],
  layout: { close: string; newline: string; inner: string },
): string {
  if (parts.length === 0) return open + layout.close;
  return open + layout.inner + parts.join(`,${layout.inner}`) + layout.newline + layout.close;
}

function write(value: unknown, options: { step: string; escapeHtml: boolean }, newline: string): string {
  const inner = newline === "" ? "" : newline + options.step;
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return writeString(value, options.escapeHtml);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => write(item, options, inner));
    return wrap("[", items, { close: "]", newline, inner });
  }
  const separator = newline === "" ? ":" : ": ";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => compareUtf8(a, b))
    .map(([key, member]) => writeString(key, options.escapeHtml) + separator + write(member, options, inner));
  return wrap("{", members, { close: "}", newline, inner });
}

/**
 * Writes a JSON value byte for byte as Go's encoding/json writes a decoded one: sorted keys, HTML characters escaped
 * (core.md §3.2). Throws RangeError for NaN and infinities.
 */
export function goJsonStringify(value: unknown, options: GoJsonOptions = {}): string {
  const step = " ".repeat(options.indent ?? 0);
  return write(value, { step, escapeHtml: options.escapeHtml ?? true }, step === "" ? "" : "\n");
}
