import { describe, expect, it } from "@jest/globals";
import { TenantUsage } from "./tenant-usage.ts";

describe("the usage of tenants", () => {
  it("ranks by what was used lately, in steps", () => {
    let now = 0;
    const usage = new TenantUsage({ halfLifeMs: 1000, quantumMs: 50, clock: () => now });
    expect(usage.rank("a")).toBe(0);
    usage.use("a", 120);
    usage.use("b", 40);
    expect([usage.rank("a"), usage.rank("b"), usage.rank("b", 20)]).toEqual([2, 0, 1]);
    usage.use("a", 280);
    expect(usage.rank("a")).toBe(8);
    now = 1000;
    expect(usage.rank("a")).toBe(4);
    usage.use("a", 100);
    expect(usage.rank("a")).toBe(6);
    now = 20_000;
    expect(usage.rank("a")).toBe(0);
  });
});
