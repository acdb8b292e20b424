import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { Admission, RequestOutcome } from "./circuit-breaker.ts";

const send = { type: "send", isProbe: false } as const;
const probe = { type: "send", isProbe: true } as const;
const problem = "connection refused";
const refuse = (failures: number, nextTryMs: number): Admission => ({ type: "refuse", failures, problem, nextTryMs });

function newBreaker(): CircuitBreaker {
  return new CircuitBreaker({ failures: 3, pause: { baseMs: 5_000, maxMs: 60_000 }, random: () => 1 });
}

/** A breaker that has opened at time 0, for 5 s. */
function openBreaker(): CircuitBreaker {
  const breaker = newBreaker();
  for (let count = 0; count < 3; count++) breaker.settle({ ...send, problem }, "unanswered", 0);
  return breaker;
}

describe("CircuitBreaker", () => {
  it.each<{ what: string; outcomes: RequestOutcome[]; isOpen: boolean }>([
    { what: "is closed at first", outcomes: [], isOpen: false },
    { what: "stays closed below the limit", outcomes: ["unanswered", "unanswered"], isOpen: false },
    { what: "opens at the limit", outcomes: ["unanswered", "unanswered", "unanswered"], isOpen: true },
    {
      what: "counts only failures in a row",
      outcomes: ["unanswered", "unanswered", "answered", "unanswered", "unanswered"],
      isOpen: false,
    },
    { what: "does not count what was aborted", outcomes: ["unanswered", "unknown", "unknown"], isOpen: false },
    {
      what: "does not take an aborted request for an answer",
      outcomes: ["unanswered", "unanswered", "unknown", "unanswered"],
      isOpen: true,
    },
  ])("$what", ({ outcomes, isOpen }) => {
    const breaker = newBreaker();
    for (const outcome of outcomes) breaker.settle({ ...send, problem }, outcome, 0);
    expect(breaker.isOpen).toBe(isOpen);
    expect(breaker.admit(1)).toEqual(isOpen ? refuse(3, 5_000) : send);
  });

  it("says once that it has opened", () => {
    const breaker = newBreaker();
    const opened = Array.from({ length: 5 }, () => breaker.settle({ ...send, problem }, "unanswered", 0));
    expect(opened).toEqual([false, false, true, false, false]);
  });

  it("lets one request probe the server when its pause is over", () => {
    const breaker = openBreaker();
    expect(breaker.admit(4_999)).toEqual(refuse(3, 5_000));
    expect(breaker.admit(5_000)).toEqual(probe);
    expect(breaker.admit(5_001)).toEqual(refuse(3, 6_001));
  });

  it("closes when the probe is answered, and begins anew", () => {
    const breaker = openBreaker();
    breaker.admit(5_000);
    breaker.settle(probe, "answered", 5_010);
    expect(breaker.admit(5_011)).toEqual(send);
    for (let count = 0; count < 3; count++) breaker.settle({ ...send, problem }, "unanswered", 6_000);
    expect(breaker.admit(6_001)).toEqual(refuse(3, 11_000));
  });

  it("doubles its pause with every probe that fails, up to the longest", () => {
    const breaker = openBreaker();
    const pauses: number[] = [];
    for (let nowMs = 5_000; pauses.length < 6;) {
      expect(breaker.admit(nowMs)).toEqual(probe);
      breaker.settle({ ...probe, problem }, "unanswered", nowMs);
      const admission = breaker.admit(nowMs);
      if (admission.type !== "refuse") throw new Error("it is open");
      pauses.push(admission.nextTryMs - nowMs);
      nowMs = admission.nextTryMs;
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  it("lets the next request probe when the probe was aborted", () => {
    const breaker = openBreaker();
    breaker.admit(5_000);
    breaker.settle(probe, "unknown", 5_100);
    expect(breaker.admit(5_101)).toEqual(probe);
  });

  it("closes with the late answer to a request that left before it opened", () => {
    const breaker = openBreaker();
    breaker.settle(send, "answered", 100);
    expect(breaker.admit(101)).toEqual(send);
  });

  it("does not rest longer for requests that left before it opened", () => {
    const breaker = openBreaker();
    breaker.settle({ ...send, problem }, "unanswered", 4_000);
    expect(breaker.admit(4_001)).toEqual(refuse(4, 5_000));
  });

  it("never gets stuck: whatever happens, a request passes within the longest pause", () => {
    const outcome = fc.constantFrom<RequestOutcome>("answered", "unanswered", "unknown");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(70_000), outcome), { maxLength: 60 }), (steps) => {
        const breaker = newBreaker();
        let nowMs = 0;
        for (const [delayMs, end] of steps) {
          nowMs += delayMs;
          const admission = breaker.admit(nowMs);
          if (admission.type === "send") breaker.settle(admission, end, nowMs);
          else expect(admission.nextTryMs - nowMs).toBeLessThanOrEqual(60_000);
        }
        expect(breaker.admit(nowMs + 60_000).type).toBe("send");
      }),
    );
  });
});
