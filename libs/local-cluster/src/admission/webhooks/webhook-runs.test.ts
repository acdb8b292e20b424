import { describe, expect, it } from "@jest/globals";
import { StatusError } from "../../status/status-error.ts";
import type { Webhook } from "./parse-webhooks.ts";
import type { WebhookAnswer } from "./read-review.ts";
import { WebhookRuns } from "./webhook-runs.ts";

const webhook: Webhook = {
  kind: "mutating",
  configuration: "slow",
  name: "slow.example.com",
  url: "https://127.0.0.1/slow",
  service: "/",
  caPem: "",
  failurePolicy: "Ignore",
  timeoutMs: 30_000,
  isReinvoked: false,
  match: { rules: [], excludeRules: [], namespaceSelector: [], objectSelector: [] },
  conditions: undefined,
};

/** Calls `count` webhooks, each of which uses up its timeout. Returns the timeouts. */
async function callAll(count: number): Promise<{ readonly times: readonly number[]; readonly outcome: unknown }> {
  let now = 0;
  const times: number[] = [];
  const call = async ({ timeoutMs }: Webhook): Promise<WebhookAnswer> => {
    times.push(timeoutMs);
    now += timeoutMs;
    return { problem: "failed to call webhook: context deadline exceeded" };
  };
  const runs = new WebhookRuns({ call, now: () => now });
  const work = (): string => {
    for (let i = 0; i < count; i += 1) runs.answerTo({ key: String(i), webhook, request: {} });
    return "done";
  };
  const outcome = await runs
    .repeat(work)
    .catch((error: unknown) => (error instanceof StatusError ? error.status : error));
  return { times, outcome };
}

describe("WebhookRuns", () => {
  it.each([
    [200, "done"],
    [
      201,
      new Error("one request needs more than 200 webhook calls. Delete webhook configurations, or narrow their rules"),
    ],
  ])("bounds the number of calls of one request: %d", async (count, outcome) => {
    const call = async (): Promise<WebhookAnswer> => ({ problem: "failed" });
    const runs = new WebhookRuns({ call, now: () => 0 });
    const work = (): string => {
      for (let i = 0; i < count; i += 1) runs.answerTo({ key: String(i), webhook, request: {} });
      return "done";
    };
    expect(await runs.repeat(work).catch((error: unknown) => error)).toEqual(outcome);
  });

  it("gives a webhook its own timeout", async () => {
    expect(await callAll(1)).toEqual({ times: [30_000], outcome: "done" });
  });

  it("ends a request whose webhooks take longer than 34 seconds together, even if their failures are ignored", async () => {
    expect(await callAll(50)).toEqual({
      times: [30_000, 4000],
      outcome: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        code: 504,
        reason: "Timeout",
        message: "Timeout: request did not complete within requested timeout - context deadline exceeded",
        details: {},
      },
    });
  });
});
