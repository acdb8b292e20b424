import { isUtf8 } from "node:buffer";
import { JsonMeter, LandscaperError } from "@landscaper/api";
import { createBreather } from "../breather.ts";
import type { SizeLimit } from "../foreign/foreign-servers.ts";
import type { LargeAnswers } from "../foreign/large-answers.ts";
import type { ResponseBody } from "./transport.ts";

export interface ReadLimits extends SizeLimit {
  /** What was asked, for the message: "GET /api/v1/...". */
  readonly place: string;
  readonly server: string;
  readonly largeAnswers: LargeAnswers;
  /** How many values of JSON the answer may have; undefined for a text that is not parsed. */
  readonly values: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface ReadAnswer {
  readonly text: string;
  readonly bytes: number;
}

/** What an answer may hold in memory without a place among the large ones. */
const smallBytes = 256 * 1024;

/** Lists and maps around a value: more than any object has, and few enough for everything that walks over it. */
const maxLevels = 1000;

/**
 * The text of an answer. Throws LandscaperError (ContentTooLarge) as soon as it is larger than allowed; its values are counted when it has ended, so that
 * answers without an end cost no more than their bytes.
 */
export async function readAnswer(body: ResponseBody, limits: ReadLimits): Promise<ReadAnswer> {
  const { largeAnswers, server, signal } = limits;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let leave: (() => void) | undefined;
  try {
    // Leaving the loop destroys the body. While it waits nothing is read: the server cannot send more than fits into buffers.
    for await (const part of body) {
      bytes += part.length;
      if (bytes > limits.bytes) throw answerTooLarge(limits);
      parts.push(part);
      if (bytes <= smallBytes) continue;
      leave ??= await largeAnswers.enter(server, signal);
    }
    if (bytes > smallBytes && limits.values !== undefined) await checkParts(parts, limits);
    return { text: decode(Buffer.concat(parts)), bytes };
  } finally {
    leave?.();
  }
}

/** What a foreign server may make the main thread parse at once. A list that has more comes in smaller pages. */
export const maxValues = { object: 100_000, page: 300_000 } as const;

export const unreadableAnswer = "ERR_UNREADABLE_ANSWER";

/** An answer that cannot be what was asked for. The message quotes nothing of it. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
  readonly code = unreadableAnswer;
}

/** Other bytes would be replaced one by one, which takes fifty times as long as the text itself. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UnreadableAnswer("the answer is not a text in UTF-8");
  return bytes.toString("utf8");
}

/** Other work goes on while the values are counted. */
async function checkParts(parts: readonly Uint8Array[], limits: ReadLimits): Promise<void> {
  const meter = new JsonMeter();
  const breathe = createBreather();
  for (const part of parts) {
    meter.add(part);
    checkValues(meter, limits);
    await breathe();
  }
}

type ValueLimits = Pick<ReadLimits, "place" | "server" | "values">;

/** The same for a text that has come as a whole, such as an event. */
export function checkText(text: string, limits: Omit<ValueLimits, "values">): void {
  if (text.length <= smallBytes) return;
  const meter = new JsonMeter();
  meter.add(Buffer.from(text));
  checkValues(meter, { ...limits, values: maxValues.object });
}

function checkValues({ values, deepest }: JsonMeter, limits: ValueLimits): void {
  if (limits.values === undefined) return;
  const problem =
    values > limits.values
      ? `holds more than ${limits.values} values`
      : deepest > maxLevels
        ? `is nested deeper than ${maxLevels} levels`
        : undefined;
  if (problem === undefined) return;
  throw new LandscaperError({
    message: `${limits.place}: the answer of ${limits.server} ${problem}`,
    reason: "ContentTooLarge",
    hint: "ask for less, or make the object smaller",
    retry: "never",
  });
}

export function answerTooLarge({
  place,
  server,
  bytes,
  setting,
}: SizeLimit & Pick<ReadLimits, "place" | "server">): Error {
  return new LandscaperError({
    message: `${place}: the answer of ${server} is larger than the allowed ${bytes} bytes`,
    reason: "ContentTooLarge",
    hint: `ask for less, or raise ${setting} in the configuration of the service`,
    retry: "never",
  });
}

export function isAnswerTooLarge(error: unknown): boolean {
  return error instanceof LandscaperError && error.reason === "ContentTooLarge";
}

/** Of error answers: a Status is much smaller. */
const maxErrorBytes = 64 * 1024;

/** The beginning of an error answer; the rest is left unread. */
export async function readErrorText(body: ResponseBody): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxErrorBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxErrorBytes).toString("utf8");
}
