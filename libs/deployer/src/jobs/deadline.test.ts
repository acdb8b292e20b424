import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type DeployItem, type DeployItemStatus } from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";
import { deadlineOf, timeoutError, timeoutOf } from "./deadline.ts";
import { placeOf, toReportable } from "./reporting/reportable-error.ts";
import { isFinalFailure, pollDelayMs, retryDelayMs } from "./retry-policy.ts";

function item(timeout?: string, status: DeployItemStatus = {}): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n" },
    spec: { type: "t", ...(timeout === undefined ? {} : { timeout }) },
    status,
  };
}

describe("the timeout of an item", () => {
  it.each([
    [undefined, 600_000],
    ["", 600_000],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["none", undefined],
    ["0s", undefined],
    ["-5s", undefined],
  ])("%j: %j ms", (timeout, want) => {
    expect(timeoutOf(item(timeout))).toBe(want);
  });

  it("names the field that is no duration, and not its value", () => {
    expect(() => timeoutOf(item("sentinel"))).toThrow(
      "spec.timeout: expected a duration such as 5m30s, or none, found another text",
    );
  });
});

describe("the deadline", () => {
  const pickedUp = { transitionTimes: { initTime: "2026-01-01T12:00:00Z" } };
  const elapsedMs = 50_000;
  type Row = readonly [
    name: string,
    timeout: string | undefined,
    status: DeployItemStatus,
    pickedUpAt: number | undefined,
    want: number | undefined,
  ];
  it.each<Row>([
    ["counts from the pickup", "10s", pickedUp, 45_700, 55_700],
    ["counts anew for another process without workedSeconds", "10s", pickedUp, undefined, 60_000],
    ["continues from workedSeconds for another process", "10s", { ...pickedUp, workedSeconds: 4 }, undefined, 56_000],
    ["counts from the pickup where both are known", "10s", { ...pickedUp, workedSeconds: 4 }, 45_700, 55_700],
    ["ignores a negative workedSeconds", "10s", { ...pickedUp, workedSeconds: -99 }, undefined, 60_000],
    ["does not depend on a time stamp", "10s", { transitionTimes: { initTime: "yesterday" } }, undefined, 60_000],
    ["is ten minutes by default", undefined, pickedUp, undefined, 650_000],
    ["is off for none", "none", pickedUp, undefined, undefined],
    ["is not there before the pickup", "10s", {}, undefined, undefined],
    ["is not there for a damaged timeout", "soon", pickedUp, undefined, undefined],
  ])("%s", (...[_name, timeout, status, pickedUpAt, want]) => {
    expect(deadlineOf(item(timeout, status), pickedUpAt, elapsedMs)).toBe(want);
  });

  it("that has passed names what the job was at", () => {
    const error = timeoutError(item("10s"), { waitingFor: "readiness of Pod n/a" });
    expect([error.message, error.hint, error.reason, error.codes]).toEqual([
      'timeout at: "readiness of Pod n/a"',
      "the job did not end within 10s",
      "ProgressingTimeout",
      ["ERR_TIMEOUT"],
    ]);
  });

  it("that has passed says what users can do about what the job waited for", () => {
    const trouble = { reason: "ResourceNotReady", hint: "correct the image" };
    const error = timeoutError(item("10s"), { waitingFor: "readiness of Pod n/a", trouble });
    expect([error.reason, error.hint]).toEqual([
      "ResourceNotReady",
      "correct the image; the job did not end within 10s",
    ]);
  });

  it("that has passed keeps reason, message, hint and codes of an error that the job had not overcome", () => {
    const cause = {
      message: "no such namespace",
      reason: "NamespaceMissing",
      hint: "create it",
      codes: ["ERR_WEBHOOK"],
    };
    const error = timeoutError(item("10s"), { error: cause });
    expect([error.message, error.hint, error.reason, error.codes]).toEqual([
      "no such namespace",
      "create it; the job did not end within 10s",
      "NamespaceMissing",
      ["ERR_WEBHOOK", "ERR_TIMEOUT"],
    ]);
  });

  it("that has passed counts its code once and leaves out unknown ones, such as a foreign deployer's", () => {
    const cause = { message: "m", reason: "R", codes: ["ERR_TIMEOUT", "ERR_FOREIGN", "ERR_WEBHOOK"] };
    expect(timeoutError(item("10s"), { error: cause }).codes).toEqual(["ERR_WEBHOOK", "ERR_TIMEOUT"]);
  });
});

describe("a failure ends the job", () => {
  const withCode = (code: LandscaperError["codes"][number]): LandscaperError =>
    new LandscaperError({ message: "m", reason: "r", codes: [code] });
  it.each([
    ["ERR_CONFIGURATION_PROBLEM", withCode("ERR_CONFIGURATION_PROBLEM"), true],
    ["ERR_INTERNAL_PROBLEM", withCode("ERR_INTERNAL_PROBLEM"), true],
    ["ERR_TIMEOUT", withCode("ERR_TIMEOUT"), true],
    ["ERR_UNAUTHORIZED", withCode("ERR_UNAUTHORIZED"), true],
    ["ERR_CYCLIC_DEPENDENCIES", withCode("ERR_CYCLIC_DEPENDENCIES"), true],
    ["ERR_WEBHOOK", withCode("ERR_WEBHOOK"), false],
    ["ERR_UNFINISHED", withCode("ERR_UNFINISHED"), false],
    ["ERR_FOR_INFO_ONLY", withCode("ERR_FOR_INFO_ONLY"), false],
    ["retry never", new LandscaperError({ message: "m", reason: "r", retry: "never" }), true],
    ["no code", new LandscaperError({ message: "m", reason: "r" }), false],
    [
      "the code of a cause",
      new LandscaperError({ message: "m", reason: "r", cause: withCode("ERR_UNAUTHORIZED") }),
      true,
    ],
    ["any other error", new TypeError("x"), false],
    ["no error at all", "x", false],
  ])("%s", (_name, error, want) => {
    expect(isFinalFailure(error)).toBe(want);
  });
});

describe("pauses", () => {
  it("after failures double up to a minute, half of them random", () => {
    const shortest = [1, 2, 3, 4, 7, 50].map((attempt) => retryDelayMs(attempt, undefined, () => 0));
    const longest = [1, 2, 3, 4, 7, 50].map((attempt) => retryDelayMs(attempt, undefined, () => 0.999_999));
    expect(shortest).toEqual([500, 1000, 2000, 4000, 30_000, 30_000]);
    expect(longest).toEqual([1000, 2000, 4000, 8000, 60_000, 60_000]);
  });

  it("are as long as the server asks for", () => {
    const busy = new ApiError({ method: "GET", path: "/" }, { status: 429, statusObject: {}, retryAfterMs: 7000 });
    expect(retryDelayMs(1, busy, () => 0)).toBe(7000);
    expect(retryDelayMs(1, new LandscaperError({ message: "m", reason: "r", cause: busy }), () => 0)).toBe(7000);
  });

  it("between looks grow from a quarter of a second to five", () => {
    expect([1, 2, 3, 5, 8, 9, 100].map(pollDelayMs)).toEqual([250, 375, 563, 1266, 4271, 5000, 5000]);
  });
});

describe("what may be told of an error", () => {
  const secret = "sentinel-value";
  it("our own words", () => {
    const error = new LandscaperError({ message: "m", reason: "r" });
    expect(toReportable(error)).toBe(error);
  });

  it("an answer of an API server without what it quotes", () => {
    const statusObject = { message: `spec.x: Invalid value: "${secret}": no` };
    const error = toReportable(new ApiError({ method: "PUT", path: "/x" }, { status: 422, statusObject }));
    expect(error.message).toBe("PUT /x: 422 spec.x: Invalid value: [...]: no");
  });

  it("of anything else the name", () => {
    expect(toReportable(new SyntaxError(`Unexpected token in ${secret}`)).message).toBe(
      "internal error of the deployer: SyntaxError",
    );
    expect(toReportable(secret).message).toBe("internal error of the deployer: string");
  });

  it("where it comes from, for the log", () => {
    expect(placeOf(new Error(secret))).toMatch(/^at .*deadline\.test\.ts/);
    expect(placeOf(new Error(secret))).not.toContain(secret);
    expect(placeOf(secret)).toBe("unknown");
  });
});
