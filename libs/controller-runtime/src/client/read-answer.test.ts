import { describe, expect, it } from "@jest/globals";
import { createLargeAnswers } from "../foreign/large-answers.ts";
import { checkText, readAnswer, type ReadLimits } from "./read-answer.ts";
import type { ResponseBody } from "./transport.ts";

const place = "GET /api/v1/x";
const server = "https://api.example.org";

/** An answer in parts of 64 KiB. */
function bodyOf(text: string): ResponseBody {
  const bytes = Buffer.from(text);
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536));
  }
  // Only its parts are read.
  return parts() as unknown as ResponseBody;
}

async function read(text: string, limits: Partial<ReadLimits> = {}): Promise<unknown> {
  const largeAnswers = createLargeAnswers({ total: 1, perServer: 1 });
  const all = { bytes: 2 ** 23, setting: "x", place, server, largeAnswers, values: 100_000, signal: undefined };
  return await readAnswer(bodyOf(text), { ...all, ...limits }).then(
    ({ bytes }) => bytes,
    ({ message, reason, retry }: Error & Record<string, unknown>) => ({ message, reason, retry }),
  );
}

const lists = (count: number): string => `[${"[],".repeat(count)}1]`;
const nested = (levels: number): string => `${"[".repeat(levels)}${" ".repeat(300_000)}${"]".repeat(levels)}`;
const tooMany = {
  message: `${place}: the answer of ${server} holds more than 100000 values`,
  reason: "ContentTooLarge",
  retry: "never",
};
const tooDeep = { ...tooMany, message: `${place}: the answer of ${server} is nested deeper than 1000 levels` };

describe("an answer of a foreign server", () => {
  it.each([
    ["one long text", `"${"x".repeat(4_000_000)}"`, 4_000_002],
    ["many values in few bytes", lists(100_000), tooMany],
    ["a value below too many lists", nested(1001), tooDeep],
    ["as many lists as may be", nested(1000), 302_000],
  ])("with %s", async (_, text, want) => {
    expect(await read(text)).toEqual(want);
  });

  it("that has no end costs its bytes, whatever it consists of", async () => {
    const tooLarge = {
      ...tooMany,
      message: `${place}: the answer of ${server} is larger than the allowed 500000 bytes`,
    };
    expect(await read(lists(200_000), { bytes: 500_000 })).toEqual(tooLarge);
  });

  it("that is not parsed may hold whatever it wants", async () => {
    expect(await read(lists(200_000), { values: undefined })).toBe(600_003);
  });

  it("is refused also as one event", () => {
    expect(() => checkText(lists(100_000), { place, server })).toThrow(tooMany.message);
    expect(() => checkText(lists(1000), { place, server })).not.toThrow();
  });
});
