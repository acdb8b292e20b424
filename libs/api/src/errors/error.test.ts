import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  boundText,
  collectErrorCodes,
  hasErrorCode,
  LandscaperError,
  maxStatusTextLength,
  toErrorStatus,
  toTimestamp,
  type LandscaperErrorOptions,
} from "./error.ts";

const now = new Date("2026-01-02T03:04:05.678Z");
const later = new Date("2026-01-02T04:00:00Z");

function makeError(options: Partial<LandscaperErrorOptions> = {}): LandscaperError {
  return new LandscaperError({ message: 'import "a": expected a string, found a number', reason: "R", ...options });
}

describe("LandscaperError", () => {
  it("backs off unless told otherwise", () => {
    expect(makeError().retry).toBe("backoff");
    expect(makeError({ retry: "never" }).retry).toBe("never");
  });

  it("has the first of its codes as code", () => {
    expect(makeError().code).toBeUndefined();
    expect(makeError({ codes: ["ERR_TIMEOUT", "ERR_NO_RETRY"] }).code).toBe("ERR_TIMEOUT");
  });

  it("keeps its cause, and has none when none was given", () => {
    const cause = new Error("inner");
    expect(makeError({ cause }).cause).toBe(cause);
    expect("cause" in makeError()).toBe(false);
  });

  it("copies itself with other fields", () => {
    const options = { operation: "o", codes: ["ERR_TIMEOUT"], hint: "h", at: [{ file: "f" }], host: "x" } as const;
    const error = makeError({ ...options, retry: "never", isMasked: true, cause: new Error("inner") });
    const copy = error.with({ message: "m", retry: "briefly" });
    expect(copy).toBeInstanceOf(LandscaperError);
    expect(copy).toMatchObject({ ...options, message: "m", reason: "R", retry: "briefly", isMasked: true });
    expect(copy.cause).toBe(error.cause);
  });
});

describe("collectErrorCodes", () => {
  it("collects the codes of all causes, innermost first and each once", () => {
    const inner = makeError({ codes: ["ERR_UNAUTHORIZED", "ERR_TIMEOUT"] });
    const middle = new Error("plain", { cause: inner });
    const outer = makeError({ codes: ["ERR_TIMEOUT", "ERR_NO_RETRY"], cause: middle });
    expect(collectErrorCodes(outer)).toEqual(["ERR_UNAUTHORIZED", "ERR_TIMEOUT", "ERR_NO_RETRY"]);
    expect(hasErrorCode(outer, "ERR_UNAUTHORIZED")).toBe(true);
    expect(hasErrorCode(outer, "ERR_WEBHOOK")).toBe(false);
  });

  it("finds none in what is no error of ours", () => {
    expect(collectErrorCodes(new Error("x"))).toEqual([]);
    expect(collectErrorCodes("x")).toEqual([]);
  });
});

describe("toErrorStatus", () => {
  const options = { operation: "init", reason: "Fallback", now };

  it("takes operation and reason of the error before those of the boundary", () => {
    const error = makeError({ operation: "own", codes: ["ERR_TIMEOUT"], hint: "give a number" });
    expect(toErrorStatus(error, options)).toEqual({
      operation: "own",
      reason: "R",
      message: 'import "a": expected a string, found a number; give a number',
      codes: ["ERR_TIMEOUT"],
      lastTransitionTime: "2026-01-02T03:04:05Z",
      lastUpdateTime: "2026-01-02T03:04:05Z",
    });
  });

  it("makes a status of any other error, without codes and without stack", () => {
    expect(toErrorStatus(new TypeError("x is not a function"), options)).toEqual({
      operation: "init",
      reason: "Fallback",
      message: "x is not a function",
      lastTransitionTime: "2026-01-02T03:04:05Z",
      lastUpdateTime: "2026-01-02T03:04:05Z",
    });
    expect(toErrorStatus("text", options).message).toBe("text");
  });

  it("moves both times when the operation changes", () => {
    const previous = toErrorStatus(makeError(), options);
    const status = toErrorStatus(makeError(), { ...options, operation: "completing", now: later, previous });
    expect(status).toEqual({
      ...previous,
      operation: "completing",
      lastTransitionTime: "2026-01-02T04:00:00Z",
      lastUpdateTime: "2026-01-02T04:00:00Z",
    });
  });

  it("moves only the update time when anything else changes", () => {
    const previous = toErrorStatus(makeError(), options);
    const changes: Partial<LandscaperErrorOptions>[] = [
      { reason: "S" },
      { message: "m" },
      { hint: "h" },
      { codes: ["ERR_TIMEOUT"] },
    ];
    for (const change of changes) {
      const status = toErrorStatus(makeError(change), { ...options, now: later, previous });
      expect(status.lastTransitionTime).toBe("2026-01-02T03:04:05Z");
      expect(status.lastUpdateTime).toBe("2026-01-02T04:00:00Z");
    }
  });

  it("gives the previous status itself when nothing changes", () => {
    const previous = toErrorStatus(makeError({ codes: ["ERR_TIMEOUT"] }), options);
    expect(toErrorStatus(makeError({ codes: ["ERR_TIMEOUT"] }), { ...options, now: later, previous })).toBe(previous);
  });

  it("bounds the message", () => {
    const text = `blueprint.yaml: ${"x".repeat(15_000_000)} the end`;
    const { message } = toErrorStatus(makeError({ message: text, hint: "shorten it" }), options);
    expect(message).toHaveLength(maxStatusTextLength);
    expect(message.replaceAll(/x+/g, "x")).toBe(
      "blueprint.yaml: x [... 14995971 characters cut] x the end; shorten it",
    );
  });
});

describe("boundText", () => {
  it("leaves a text alone that fits", () => {
    expect(boundText("abc", 3)).toBe("abc");
  });

  it("says how many characters are cut, and keeps the start and the end", () => {
    expect(boundText("0123456789".repeat(5), 40)).toBe("012 [... 35 characters cut] 890123456789");
  });

  it("does not leave half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 60 }), fc.integer({ min: 35, max: 59 }), (text, max) => {
        const bounded = boundText(text, max);
        expect(bounded.length).toBeLessThanOrEqual(max);
        expect(bounded).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe("toTimestamp", () => {
  it("has whole seconds", () => {
    expect(toTimestamp(now)).toBe("2026-01-02T03:04:05Z");
  });
});
