import { goJsonStringify, replaceLoneSurrogates } from "./go-json.ts";

/** What stands in place of a masked value. */
export const redacted = "[...]";

/** Shorter texts are too common to be secrets: masking them would only make messages unreadable. */
const minLeafLength = 4;
/** Leaves below this length are masked as whole words only: "test" must not turn "latest" into "la[...]". */
const minInnerLength = 8;

function collectLeaves(value: unknown, leaves: Set<string>): void {
  if (typeof value === "string") addText(value, leaves);
  else if (typeof value === "number" || typeof value === "bigint") leaves.add(String(value));
  else if (Array.isArray(value)) for (const item of value) collectLeaves(item, leaves);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectLeaves(member, leaves);
  }
}

/** Reads a text that is JSON; undefined for any other. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text behind a base64 leaf, such as the data of a Secret; undefined when it is none, or binary. */
function decodeBase64(text: string): string | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return /[\p{Cc}\uFFFD]/u.test(decoded.replace(/[\n\r\t]/g, "")) ? undefined : decoded;
}

/**
 * A text may be a document (kubeconfig, manifest, JSON) or base64 of one: then its parts are secrets of their own. Of texts with
 * several lines every line counts, and what stands behind "key: " in it.
 */
function addText(text: string, leaves: Set<string>): void {
  if (leaves.has(text)) return;
  leaves.add(text);
  const trimmed = text.trim();
  leaves.add(trimmed);
  collectLeaves(parseJson(trimmed), leaves);
  const decoded = decodeBase64(trimmed);
  if (decoded !== undefined && decoded.length >= minInnerLength) addText(decoded, leaves);
  if (!trimmed.includes("\n")) return;
  for (const line of trimmed.split("\n")) {
    const whole = line.trim();
    const value = whole.slice(whole.indexOf(": ") + 1).trim();
    for (const part of [whole, value, value.replace(/^(["'])(.*)\1$/, "$2")]) {
      if (part.length >= minInnerLength) leaves.add(part);
    }
  }
}

/** Base64 of a longer text contains one of three forms of a part of it, depending on where the part begins. */
function base64Forms(leaf: string): string[] {
  const bytes = Buffer.from(leaf, "utf8");
  const whole = [bytes.toString("base64"), bytes.toString("base64url")];
  const inner = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((shifted.length * 8) / 6);
    return [shifted.toString("base64").slice(first, last), shifted.toString("base64url").slice(first, last)];
  });
  return [...whole, ...inner.filter((form) => form.length >= minInnerLength)];
}

function jsonForm(text: string, escapeHtml: boolean): string {
  return goJsonStringify(text, { escapeHtml }).slice(1, -1);
}

function formsOf(leaf: string): string[] {
  const escaped = jsonForm(leaf, false);
  return [
    leaf,
    escaped,
    jsonForm(leaf, true),
    jsonForm(escaped, false),
    encodeURIComponent(replaceLoneSurrogates(leaf)),
  ].concat(base64Forms(leaf));
}

const wordCharacter = /[A-Za-z0-9]/;

function replaceWords(message: string, word: string): string {
  let result = "";
  let rest = message;
  for (let at = rest.indexOf(word); at >= 0; at = rest.indexOf(word)) {
    const before = rest.charAt(at - 1) || result.at(-1) || "";
    const after = rest.charAt(at + word.length);
    const isWhole = !wordCharacter.test(before) && !wordCharacter.test(after);
    result += rest.slice(0, at) + (isWhole ? redacted : word);
    rest = rest.slice(at + word.length);
  }
  return result + rest;
}

/**
 * Masks in `message` every scalar leaf of `values` that has at least 4 characters, also in base64 (of the leaf or of a text
 * around it), JSON-escaped and URL-encoded. Booleans and null are no secrets.
 */
export function redactLeaves(message: string, values: unknown): string {
  const leaves = new Set<string>();
  collectLeaves(values, leaves);
  const forms = new Set<string>();
  for (const leaf of leaves) {
    if (leaf.length < minLeafLength) continue;
    for (const form of formsOf(leaf)) if (message.includes(form)) forms.add(form);
  }
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce(
    (text, form) => (form.length < minInnerLength ? replaceWords(text, form) : text.split(form).join(redacted)),
    message,
  );
}
