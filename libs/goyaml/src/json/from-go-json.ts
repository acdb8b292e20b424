import { parseFloat64Json } from "@landscaper/json";
import { JsonChecker, type JsonFacts } from "./json-checker.ts";

/** A text that is no JSON, or JSON that does not fit. `message` has the words of Go's encoding/json. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** What was read in spite of the error, with null for what does not fit; undefined for a text that is no JSON. */
  readonly value: unknown;

  constructor(message: string, value?: unknown) {
    super(message);
    this.value = value;
  }
}

/**
 * The value of a JSON text, as Go's json.Unmarshal reads it into an interface: all numbers as float64, U+FFFD for what
 * is no text. Throws JsonError, whose message quotes one character of the text at most (or a number that is too large).
 */
export function fromGoJson(text: string): unknown {
  const checker = new JsonChecker(text, (problem) => {
    throw new JsonError(problem);
  });
  return valueOf(text, checker.check());
}

/** A value at the begin of a text, and where it ends. */
export interface FirstValue {
  readonly value: unknown;
  readonly end: number;
}

/**
 * The value that a text begins with, as Go's json.Decoder reads it from a stream; whatever may follow. A text of spaces
 * alone is undefined. Throws JsonError.
 */
export function readGoJson(text: string): FirstValue | undefined {
  const checker: JsonChecker = new JsonChecker(text, (problem) => {
    throw new JsonError(checker.position < text.length ? problem : "unexpected EOF");
  });
  if (/^[ \t\r\n]*$/.test(text)) return undefined;
  const facts = checker.checkFirst();
  const end = checker.position;
  return { value: valueOf(text.slice(0, end), facts), end };
}

function valueOf(text: string, facts: JsonFacts): unknown {
  const value: unknown = parseFloat64Json(readableText(text, facts));
  const [first] = facts.tooLarge;
  if (first === undefined) return value;
  const number = text.slice(first.start, first.end);
  throw new JsonError(`json: cannot unmarshal number ${number} into Go value of type float64`, value);
}

/** The text with what JavaScript reads otherwise made plain. */
function readableText(text: string, { tooLarge, hasSurrogateEscapes }: JsonFacts): string {
  let readable = "";
  let end = 0;
  for (const number of tooLarge) {
    readable += `${text.slice(end, number.start)}null`;
    end = number.end;
  }
  readable = (readable + text.slice(end)).toWellFormed();
  return hasSurrogateEscapes ? readable.replace(escapes, replaceHalf) : readable;
}

/** Two escapes that are a surrogate pair, half of one, or the begin of any other escape. */
const escapes = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\./g;
const lengthOfHalf = String.raw`\ud800`.length;

function replaceHalf(escape: string): string {
  return escape.length === lengthOfHalf ? String.raw`\ufffd` : escape;
}
