import { describe, expect, it } from "@jest/globals";
import { createEgressPolicy } from "./egress-policy.ts";
import type { ResolveHost } from "./own-addresses.ts";
import { createProxiedLookups } from "./proxied-lookups.ts";

const never: ResolveHost = async () => await new Promise(() => {});

describe("the lookup of a host behind a proxy", () => {
  it("happens once a minute, also if the name cannot be resolved", async () => {
    const asked: string[] = [];
    let now = 0;
    const resolve: ResolveHost = async (host) => {
      asked.push(host);
      if (host === "unknown.example") throw new Error("ENOTFOUND");
      return await Promise.resolve([{ address: "198.51.100.7", family: 4 }]);
    };
    const lookups = createProxiedLookups({ resolve, now: () => now });
    const ask = async (host: string) => await lookups.resolve(host, Promise.resolve());
    expect(await Promise.all([ask("hub.example"), ask("hub.example"), ask("unknown.example")])).toEqual([
      ["198.51.100.7"],
      ["198.51.100.7"],
      [],
    ]);
    expect(await ask("unknown.example")).toEqual([]);
    expect(asked).toEqual(["hub.example", "unknown.example"]);
    now = 60_001;
    await ask("hub.example");
    expect(asked).toEqual(["hub.example", "unknown.example", "hub.example"]);
  });

  it("ends at its limit, also if other addresses are late", async () => {
    const resolve: ResolveHost = async () => await Promise.resolve([]);
    const late = createProxiedLookups({ resolve: never, now: () => 0, limitMs: 10 });
    expect(await late.resolve("hub.example", Promise.resolve())).toBe("late");
    const beside = createProxiedLookups({ resolve, now: () => 0, limitMs: 10 });
    expect(await beside.resolve("hub.example", new Promise(() => {}))).toBe("late");
  });
});

describe("a host whose lookup does not end", () => {
  const check = async (profile: "default" | "hardened"): Promise<void> =>
    await createEgressPolicy({ profile }, { resolve: never, proxiedLookupMs: 10 }).checkAddresses(
      new URL("https://hub.example"),
    );

  it("is refused in the hardened profile", async () => {
    await expect(check("hardened")).rejects.toThrow(
      "host hub.example, port 443: denied, because its addresses could not be found in time (egress.profile hardened)",
    );
  });

  it("is permitted in the default profile", async () => {
    await expect(check("default")).resolves.toBeUndefined();
  });
});
