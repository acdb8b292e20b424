import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { classifyFailure, isWorthTelling, toSafeError, toTold } from "./api-failure.ts";

function apiError(status: number, message = "no", reason = ""): ApiError {
  return new ApiError({ method: "PUT", path: "/x" }, { status, statusObject: { message, reason } });
}
const never = new LandscaperError({ message: "m", reason: "R", retry: "never" });
const later = new LandscaperError({ message: "m", reason: "R" });
const connection = new ConnectionError({ method: "GET", path: "/x" }, { server: "s", problem: "p", maybeSent: true });

describe("what an error means", () => {
  it.each([
    [apiError(409, "no", "Conflict"), "conflict", false],
    [apiError(409, "no", "AlreadyExists"), "transient", false],
    [apiError(404), "transient", false],
    [apiError(429), "transient", false],
    [apiError(500), "transient", false],
    [apiError(500, "failed calling webhook: connection refused"), "transient", true],
    [apiError(403), "fatal", false],
    [apiError(403, 'secrets "s" is forbidden: exceeded quota: small, requested: secrets=1'), "transient", true],
    [apiError(403, 'secrets "s" is forbidden: failed quota: small: must specify x'), "fatal", false],
    [apiError(413), "fatal", false],
    [apiError(500, "etcdserver: request is too large"), "fatal", false],
    [apiError(500, "rpc error: desc = trying to send message larger than max (3 vs. 2)"), "fatal", false],
    [apiError(422), "fatal", false],
    [connection, "transient", false],
    [never, "fatal", true],
    [later, "transient", true],
    [new TypeError("bug"), "transient", true],
  ])("%s: %s, told: %s", (error, want, isTold) => {
    expect([classifyFailure(error), isWorthTelling(error)]).toEqual([want, isTold]);
  });
});

describe("what may be told of an error", () => {
  it("is not what the API server quotes", () => {
    const safe = toSafeError(apiError(422, 'spec.x: Invalid value: "secret-1": must be y', "Invalid"));
    expect(safe).toMatchObject({
      message: "PUT /x: 422 spec.x: Invalid value: [...]: must be y",
      reason: "ApiRequestFailed",
      retry: "never",
    });
  });

  it("names a quota that is used up", () => {
    const message = 'secrets "s" is forbidden: exceeded quota: small, requested: secrets=1';
    expect(toSafeError(apiError(403, message))).toMatchObject({ reason: "QuotaExceeded", retry: "backoff" });
  });

  it("carries the code of a webhook that does not answer", () => {
    expect(toSafeError(apiError(500, "failed calling webhook"))).toMatchObject({
      codes: ["ERR_WEBHOOK"],
      retry: "backoff",
    });
  });

  it("is class and message of a fault, without what it quotes", () => {
    expect(toTold(new TypeError("reading 'secret'"))).toMatchObject({
      message: "internal error of the core: TypeError: reading [...]",
      reason: "InternalError",
      retry: "backoff",
    });
    expect([toTold(later), toTold(connection)]).toEqual([later, undefined]);
  });

  it("leaves conflicts and errors of others as they are", () => {
    const conflict = apiError(409, "no", "Conflict");
    expect([toSafeError(conflict), toSafeError(later), toSafeError(connection)]).toEqual([conflict, later, connection]);
  });
});
