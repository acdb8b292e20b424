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

  it.each<readonly [Parameters<typeof pauseBetweenChecks>[0], passedMs: number, pauseMs: number]>([
    [{}, 0, 5],
    [{}, 50, 5],
    [{}, 400, 40],
    [{ intervalMs: 50 }, 400, 50],
    [{ intervalMs: 50 }, 800, 80],
    [{}, 60_000, 100],
    [{ intervalMs: 300 }, 60_000, 300],
    [{ evenly: true }, 60_000, 5],
    [{ evenly: true, intervalMs: 50 }, 60_000, 50],
  ])("with %j, a wait of %s ms pauses for %s ms", (...[options, passedMs, pauseMs]) => {
    expect(pauseBetweenChecks(options, passedMs)).toBe(pauseMs);
  });
});
