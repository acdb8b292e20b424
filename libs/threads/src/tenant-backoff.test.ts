import { describe, expect, it } from "@jest/globals";
import { TenantBackoff } from "./tenant-backoff.ts";

function start(): { backoff: TenantBackoff; pass: (ms: number) => void } {
  let now = 0;
  const options = { baseMs: 1_000, maxMs: 10_000, clock: () => now, random: () => 1 };
  return { backoff: new TenantBackoff(options), pass: (ms) => (now += ms) };
}

describe("the backoff of tenants", () => {
  it("begins with the second miss in a row, doubles, and has a limit", () => {
    const { backoff, pass } = start();
    const waits = [1, 2, 3, 4, 5, 6, 7].map(() => {
      backoff.noteLimit("a");
      const wait = backoff.waitMs("a");
      pass(wait);
      return wait;
    });
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(backoff.waitMs("b")).toBe(0);
  });

  it("ends with a success, and when nothing has happened for long", () => {
    const { backoff, pass } = start();
    for (let i = 0; i < 4; i++) backoff.noteLimit("a");
    expect(backoff.waitMs("a")).toBe(4_000);
    backoff.noteSuccess("a");
    expect(backoff.waitMs("a")).toBe(0);
    for (let i = 0; i < 4; i++) backoff.noteLimit("a");
    pass(15_000);
    backoff.noteLimit("a");
    expect(backoff.waitMs("a")).toBe(0);
  });

  it("is spread by chance, by half at most", () => {
    const backoff = new TenantBackoff({ baseMs: 1_000, maxMs: 10_000, clock: () => 0, random: () => 0 });
    for (let i = 0; i < 2; i++) backoff.noteLimit("a");
    expect(backoff.waitMs("a")).toBe(500);
  });
});
