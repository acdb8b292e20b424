import { fixedWords } from "./fixed-words.ts";
import { maskInParts, maskTexts, minInnerLength } from "./mask-texts.ts";
import { goJsonStringify, replaceLoneSurrogates } from "./go-json.ts";

/** What stands in place of a masked value. */
export const redacted = "[...]";

/** Shorter texts are too common to be secrets: masking them would only make messages unreadable. */
const minLeafLength = 4;

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

/**
 * Masks in `message` every scalar leaf of `values` that has at least 4 characters, also in base64 (of the leaf or of a text
 * around it), JSON-escaped and URL-encoded. Booleans and null are no secrets.
 */
export function redactLeaves(message: string, values: unknown): string {
  return redactTexts([message], values)[0] ?? "";
}

/** The same for a message of an API server, whose own words stay although they are values as well. */
export function redactAnswer(message: string, values: unknown): string {
  const leaves = new Set<string>();
  collectLeaves(values, leaves);
  const forms = formsOfLeaves(leaves, message.length);
  return maskTexts([message], forms, { mask: redacted, fixed: fixedWords })[0] ?? "";
}

/** The same for many messages, in time linear in all of them and the values. */
export function redactTexts(messages: readonly string[], values: unknown): string[] {
  const leaves = new Set<string>();
  collectLeaves(values, leaves);
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0);
  return maskTexts(messages, formsOfLeaves(leaves, longest), { mask: redacted });
}

/** As redactTexts, for any number of values: `breathe` is called often, and gives others a turn when it is time. */
export async function redactTextsInTurns(
  messages: readonly string[],
  values: unknown,
  breathe: () => Promise<void>,
): Promise<string[]> {
  const leaves = new Set<string>();
  for (const value of scalarsOf(values)) {
    collectLeaves(value, leaves);
    await breathe();
  }
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0);
  const parts = maskInParts(messages, formsOfLeaves(leaves, longest), { mask: redacted });
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await breathe();
  }
}

/** What is no list or map; each is small enough to be taken apart at once. */
function* scalarsOf(values: unknown): Generator {
  const open = [values];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) yield value;
    else for (const member of Object.values(value)) open.push(member);
  }
}

/** As redactTexts, for texts that count as they are, and by their lines: what a token says in base64 (account, namespace) is no secret. */
export function redactOpaque(messages: readonly string[], texts: readonly string[]): string[] {
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.length >= minInnerLength);
  const leaves = new Set([...texts, ...lines].flatMap((text) => [text, text.trim()]));
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0);
  return maskTexts(messages, formsOfLeaves(leaves, longest), { mask: redacted });
}

/** Every form of every leaf; none that is longer than the messages, and so cannot be in one. */
function* formsOfLeaves(leaves: Iterable<string>, maxLength: number): Iterable<string> {
  for (const leaf of leaves) if (leaf.length >= minLeafLength && leaf.length <= maxLength) yield* formsOf(leaf);
}

/** A status, an event, and a log have room for messages of this length. */
const maxMessageLength = 32_768;
/** Longer secrets are looked for in pieces: the end of a message may cut off a part of one. */
const pieceLength = 4096;

/** As much of a message without secrets as can be shown. */
export function capMessage(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}...`;
}

/** As redactLeaves, for a message of any length: only as much as can be shown is looked at. */
export function redactMessage(message: string, values: unknown): string {
  if (message.length <= maxMessageLength) return redactLeaves(message, values);
  const leaves = new Set<string>();
  collectLeaves(values, leaves);
  for (const leaf of leaves) {
    for (let at = 0; leaf.length > pieceLength && at < leaf.length; at += pieceLength) {
      leaves.add(leaf.slice(at, at + pieceLength));
    }
  }
  // A piece that begins in the part that is shown has ended in the one that is masked.
  const part = message.slice(0, 2 * maxMessageLength);
  const [masked = ""] = maskTexts([part], formsOfLeaves(leaves, part.length), {
    mask: redacted,
    shownLength: maxMessageLength,
  });
  return `${masked}...`;
}
