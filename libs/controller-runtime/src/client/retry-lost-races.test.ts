import { describe, expect, it } from "@jest/globals";
import { ApiError } from "./api-error.ts";
import { retryLostRaces } from "./retry-lost-races.ts";

const request = { method: "PUT", path: "/x" };
const conflict = new ApiError(request, { status: 409, statusObject: { reason: "Conflict" } });
const exists = new ApiError(request, { status: 409, statusObject: { reason: "AlreadyExists" } });
const forbidden = new ApiError(request, { status: 403, statusObject: { reason: "Forbidden" } });

describe("retryLostRaces", () => {
  it.each<[string, readonly Error[], readonly [result: string | Error, attempts: number]]>([
    ["gives what the first attempt gives", [], ["written", 1]],
    ["repeats attempts that have lost their race", [conflict, exists], ["written", 3]],
    ["gives up after the last attempt", [exists, conflict, conflict, exists], [conflict, 3]],
    ["repeats no other failure", [conflict, forbidden], [forbidden, 2]],
  ])("%s", async (_, failures, [want, attempts]) => {
    const left = [...failures];
    let count = 0;
    const result = retryLostRaces(3, () => {
      count += 1;
      const failure = left.shift();
      return failure === undefined ? Promise.resolve("written") : Promise.reject(failure);
    });
    await expect(result.catch((error: unknown) => error)).resolves.toBe(want);
    expect(count).toBe(attempts);
  });
});
