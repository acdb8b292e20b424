import { describe, expect, it } from "@jest/globals";
import { decideRetry, parseRetryAfter } from "./retry-policy.ts";
import type { FailedAttempt } from "./retry-policy.ts";

const answer = (status: number, retryAfterMs?: number): FailedAttempt => ({ kind: "answer", status, retryAfterMs });
const lost: FailedAttempt = { kind: "connection", maybeSent: true };
const refused: FailedAttempt = { kind: "connection", maybeSent: false };
const noJitter = (): number => 0;

describe("decideRetry", () => {
  it.each<[name: string, isRead: boolean, attempts: number, failure: FailedAttempt, want: number | undefined]>([
    ["repeats a read after a 500", true, 1, answer(500), 100],
    ["repeats a read after a 503, later and later", true, 3, answer(503), 400],
    ["gives a read up after five attempts", true, 5, answer(500), undefined],
    ["repeats a read whose answer was lost", true, 1, lost, 100],
    ["repeats a throttled read without Retry-After", true, 2, answer(429), 200],
    ["waits as long as the server asks", true, 1, answer(429, 2_000), 2_000],
    ["waits as long as a failing server asks a reader", true, 1, answer(503, 3_000), 3_000],
    ["waits for half a minute at most", true, 1, answer(429, 3_600_000), 30_000],
    ["is more patient with throttling", true, 9, answer(429, 1_000), 1_000],
    ["ends its patience with throttling", true, 10, answer(429, 1_000), undefined],
    ["never repeats a read that was refused for good", true, 1, answer(404), undefined],
    ["never repeats a read of what is gone", true, 1, answer(410), undefined],
    ["repeats a throttled write: it was not executed", false, 1, answer(429, 1_000), 1_000],
    ["never repeats a write after 429 without Retry-After", false, 1, answer(429), undefined],
    ["never repeats a write after a 500", false, 1, answer(500), undefined],
    ["never repeats a write after a 503, Retry-After or not", false, 1, answer(503, 1_000), undefined],
    ["never repeats a lost race", false, 1, answer(409), undefined],
    ["never repeats a write that may have arrived", false, 1, lost, undefined],
    ["repeats a write that surely never left", false, 1, refused, 100],
    ["gives a write up after five attempts to connect", false, 5, refused, undefined],
  ])("%s", (_name, ...[isRead, attempts, failure, want]) => {
    expect(decideRetry({ isRead, attempts, failure }, noJitter)).toBe(want);
  });

  it("adds jitter to what the server asks, so that clients do not come back together", () => {
    expect(decideRetry({ isRead: true, attempts: 1, failure: answer(429, 4_000) }, () => 0.5)).toBe(4_500);
  });
});

describe("parseRetryAfter", () => {
  const newYear = "Thu, 01 Jan 2026 00:00:00 GMT";

  it.each([
    [undefined, newYear, undefined],
    ["1", undefined, 1_000],
    [" 30 ", newYear, 30_000],
    ["Thu, 01 Jan 2026 00:00:10 GMT", newYear, 10_000],
    ["Thu, 01 Jan 2026 00:00:10 GMT", undefined, undefined],
    ["Thu, 01 Jan 2026 00:00:10 GMT", "now", undefined],
    ["Wed, 31 Dec 2025 00:00:10 GMT", newYear, 0],
    ["soon", newYear, undefined],
  ])("understands %p of a server whose clock shows %p", (retryAfter, date, want) => {
    expect(parseRetryAfter(retryAfter, date)).toBe(want);
  });
});
