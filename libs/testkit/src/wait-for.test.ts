import { describe, expect, it } from "@jest/globals";
import { pauseBetweenChecks, waitFor } from "./wait-for.ts";

describe("waitFor", () => {
  it("gives what the check finds at last", async () => {
    let calls = 0;
    expect(await waitFor(() => (++calls < 3 ? undefined : "found"))).toBe("found");
  });

  it("takes 0 and the empty text for findings", async () => {
    expect([await waitFor(() => 0), await waitFor(() => Promise.resolve(""))]).toEqual([0, ""]);
  });

  it("waits on while the check throws", async () => {
    let calls = 0;
    const check = (): boolean => {
      if (++calls < 3) throw new Error("not yet");
      return true;
    };
    expect(await waitFor(check)).toBe(true);
  });

  it("fails with the last error, or with what it saw last", async () => {
    const error = new Error("never");
    await expect(waitFor(() => Promise.reject(error), { timeoutMs: 20 })).rejects.toBe(error);
    await expect(waitFor(() => false, { timeoutMs: 20 })).rejects.toThrow(
      new Error("waitFor: still false after 20 ms"),
    );
  });

  it("says what the caller says of it when time is up, with the last error as the cause", async () => {
    const cause = new Error("never");
    const describe = (): string => "the pod is not ready";
    const failed = waitFor(() => Promise.reject(cause), { timeoutMs: 20, describe });
    await expect(failed).rejects.toThrow(expect.objectContaining({ message: "the pod is not ready", cause }));
  });

  it.each([
    [5, 0, 5],
    [5, 50, 5],
    [5, 400, 40],
    [50, 400, 50],
    [50, 800, 80],
    [5, 60_000, 100],
    [300, 60_000, 300],
  ])(
    "checks less often the longer it waits: at first every %s ms, after %s ms every %s ms",
    (...[firstMs, passedMs, pauseMs]) => {
      expect(pauseBetweenChecks(firstMs, passedMs)).toBe(pauseMs);
    },
  );

  it("makes few checks in a long wait, unless they are to be even", async () => {
    let calls = 0;
    await expect(waitFor(() => void ++calls, { timeoutMs: 1000 })).rejects.toThrow("still undefined");
    expect(calls).toBeLessThan(60);
    calls = 0;
    await expect(waitFor(() => void ++calls, { timeoutMs: 1000, evenly: true })).rejects.toThrow("still undefined");
    expect(calls).toBeGreaterThan(60);
  });
});
