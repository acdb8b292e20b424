import { parseJson } from "@landscaper/json";
import { fixedWords } from "../schema/fixed-words.ts";
import { atOnce, maskInParts, maskTexts, minInnerLength, type InParts, type MaskOptions } from "./mask-texts.ts";
import { goJsonStringify, replaceLoneSurrogates } from "../values/go-json.ts";

/** What stands in place of a masked value. */
export const redacted = "[...]";

/** Shorter texts are too common to be secrets: masking them would only make messages unreadable. */
const minLeafLength = 4;

/** Values and lines that are taken apart without a pause. */
const valuesPerPart = 256;

/** The scalars of the values, and what is in those that are documents. */
function* collectLeaves(values: unknown): InParts<Set<string>> {
  const leaves = new Set<string>();
  const seen = new Set<string>();
  const open = [values];
  for (let count = 1; open.length > 0; count++) {
    if (count % valuesPerPart === 0) yield;
    const value = open.pop();
    if (typeof value === "string") {
      if (seen.has(value)) continue;
      seen.add(value);
      open.push(...documentsIn(value));
      yield* addText(value, leaves);
    } else if (typeof value === "number" || typeof value === "bigint") leaves.add(String(value));
    else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) open.push(member);
    }
  }
  return leaves;
}

/** Reads a text that is JSON; undefined for any other. */
function parseContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
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

/** A text may be JSON, or base64 of a document: then its parts are secrets of their own. */
function documentsIn(text: string): unknown[] {
  const trimmed = text.trim();
  const parsed = parseContainer(trimmed);
  const decoded = decodeBase64(trimmed);
  return [
    ...(parsed === undefined ? [] : [parsed]),
    ...(decoded !== undefined && decoded.length >= minInnerLength ? [decoded] : []),
  ];
}

/** Of texts with several lines (kubeconfig, manifest) every line counts, and what stands behind "key: " in it. */
function* addText(text: string, leaves: Set<string>): InParts<void> {
  leaves.add(text);
  const trimmed = text.trim();
  leaves.add(trimmed);
  if (!trimmed.includes("\n")) return;
  for (const [index, line] of trimmed.split("\n").entries()) {
    if (index % valuesPerPart === valuesPerPart - 1) yield;
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

function* formsOf(leaf: string): Iterable<string> {
  const escaped = jsonForm(leaf, false);
  // Most texts have nothing to escape: then they are all the same.
  const texts = new Set([leaf, escaped, jsonForm(leaf, true), jsonForm(escaped, false)]);
  yield* texts;
  yield encodeURIComponent(replaceLoneSurrogates(leaf));
  for (const text of texts) yield* base64Forms(text);
}

/** Every form of every leaf; none that is longer than the messages, and so cannot be in one. */
function* formsOfLeaves(leaves: Iterable<string>, maxLength: number): Iterable<string> {
  for (const leaf of leaves) if (leaf.length >= minLeafLength && leaf.length <= maxLength) yield* formsOf(leaf);
}

const plain: MaskOptions = { mask: redacted };

function* redactInParts(messages: readonly string[], values: unknown, options = plain): InParts<string[]> {
  const leaves = yield* collectLeaves(values);
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0);
  return yield* maskInParts(messages, formsOfLeaves(leaves, longest), options);
}

/** `breathe` is called often, and gives others a turn when it is time. */
async function inTurns<T>(parts: InParts<T>, breathe: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await breathe();
  }
}

/**
 * Masks in `message` every scalar leaf of `values` that has at least 4 characters, also in base64 (of the leaf or of a text
 * around it, such as JSON), JSON-escaped and URL-encoded. Booleans and null are no secrets.
 */
export function redactLeaves(message: string, values: unknown): string {
  return redactTexts([message], values)[0] ?? "";
}

/** The same for a message of an API server, whose own words stay although they are values as well; see redactTextsInTurns. */
export async function redactAnswerInTurns(
  message: string,
  values: unknown,
  breathe: () => Promise<void>,
): Promise<string> {
  const options = { mask: redacted, fixed: fixedWords };
  return (await inTurns(redactInParts([message], values, options), breathe))[0] ?? "";
}

/** The same for many messages, in time linear in all of them and the values. */
export function redactTexts(messages: readonly string[], values: unknown): string[] {
  return atOnce(redactInParts(messages, values));
}

/** As redactTexts, for any number of values: `breathe` is called often, and gives others a turn when it is time. */
export async function redactTextsInTurns(
  messages: readonly string[],
  values: unknown,
  breathe: () => Promise<void>,
): Promise<string[]> {
  return await inTurns(redactInParts(messages, values), breathe);
}

/** As redactTexts, for texts that count as they are, and by their lines: what a token says in base64 (account, namespace) is no secret. */
export function redactOpaque(messages: readonly string[], texts: readonly string[]): string[] {
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.length >= minInnerLength);
  const leaves = new Set([...texts, ...lines].flatMap((text) => [text, text.trim()]));
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0);
  return maskTexts(messages, formsOfLeaves(leaves, longest), plain);
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
  return atOnce(redactMessageInParts(message, values));
}

/** The same for any number of values; see redactTextsInTurns. */
export async function redactMessageInTurns(
  message: string,
  values: unknown,
  breathe: () => Promise<void>,
): Promise<string> {
  return await inTurns(redactMessageInParts(message, values), breathe);
}

function* redactMessageInParts(message: string, values: unknown): InParts<string> {
  if (message.length <= maxMessageLength) return (yield* redactInParts([message], values))[0] ?? "";
  const leaves = yield* collectLeaves(values);
  for (const leaf of leaves) {
    for (let at = 0; leaf.length > pieceLength && at < leaf.length; at += pieceLength) {
      leaves.add(leaf.slice(at, at + pieceLength));
    }
  }
  // A piece that begins in the part that is shown has ended in the one that is masked.
  const part = message.slice(0, 2 * maxMessageLength);
  const [masked = ""] = yield* maskInParts([part], formsOfLeaves(leaves, part.length), {
    mask: redacted,
    shownLength: maxMessageLength,
  });
  return `${masked}...`;
}
