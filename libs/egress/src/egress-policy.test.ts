import { connect, createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { createEgressPolicy, type EgressRole } from "./egress-policy.ts";
import type { ResolveHost } from "./own-addresses.ts";

type Settings = Parameters<typeof createEgressPolicy>[0];

const denied = (name: string): string => `denied by the rule "${name}" of egress.profile`;

function judge(url: string, settings: Settings = {}, role?: EgressRole): string {
  try {
    createEgressPolicy(settings, { ownHosts: ["hub.example", "192.0.2.10"] }).checkUrl(new URL(url), role);
    return "permitted";
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

const hardened: Settings = { profile: "hardened", clusterCIDRs: ["10.96.0.0/12", "fd10::/64"] };

describe("the default profile", () => {
  it.each([
    ["https://169.254.169.254/", `host 169.254.169.254, port 443: ${denied("link-local")}`],
    ["http://2852039166/", `host 169.254.169.254, port 80: ${denied("link-local")}`],
    ["http://0xa9fea9fe/", `host 169.254.169.254, port 80: ${denied("link-local")}`],
    ["http://0251.0376.0251.0376/", `host 169.254.169.254, port 80: ${denied("link-local")}`],
    ["http://169.254.43518/", `host 169.254.169.254, port 80: ${denied("link-local")}`],
    ["http://[::ffff:169.254.169.254]/", `host ::ffff:a9fe:a9fe, port 80: ${denied("link-local")}`],
    ["http://[::169.254.169.254]/", `host ::a9fe:a9fe, port 80: ${denied("link-local")}`],
    ["http://[64:ff9b::169.254.169.254]/", `host 64:ff9b::a9fe:a9fe, port 80: ${denied("link-local")}`],
    ["http://[2002:a9fe:a9fe::1]/", `host 2002:a9fe:a9fe::1, port 80: ${denied("link-local")}`],
    ["https://[fe80::1]:6443/", `host fe80::1, port 6443: ${denied("link-local")}`],
    ["http://[fd00:ec2::254]/", `host fd00:ec2::254, port 80: ${denied("link-local")}`],
    ["http://Metadata.Google.Internal./", `host metadata.google.internal, port 80: ${denied("link-local")}`],
    ["http://127.0.0.1:8080/", "permitted"],
    ["https://[::1]/", "permitted"],
    ["https://10.96.0.1/", "permitted"],
    ["https://hub.example/", "permitted"],
    ["https://charts.example/", "permitted"],
  ])("%s: %s", (url, want) => {
    expect(judge(url)).toBe(want);
  });
});

describe("the hardened profile", () => {
  it.each([
    ["https://127.0.0.1/", `host 127.0.0.1, port 443: ${denied("loopback")}`],
    ["https://127.8.8.8/", `host 127.8.8.8, port 443: ${denied("loopback")}`],
    ["https://0/", `host 0.0.0.0, port 443: ${denied("loopback")}`],
    ["https://[::]/", `host ::, port 443: ${denied("loopback")}`],
    ["https://[::1]/", `host ::1, port 443: ${denied("loopback")}`],
    ["https://[::ffff:127.0.0.1]/", `host ::ffff:7f00:1, port 443: ${denied("loopback")}`],
    ["https://localhost/", `host localhost, port 443: ${denied("loopback")}`],
    ["https://10.96.0.1/", `host 10.96.0.1, port 443: ${denied("cluster")}`],
    ["https://[fd10::7]/", `host fd10::7, port 443: ${denied("cluster")}`],
    ["https://192.0.2.10/", `host 192.0.2.10, port 443: ${denied("cluster")}`],
    ["https://HUB.example/", `host hub.example, port 443: ${denied("cluster")}`],
    ["https://vault.vault.svc.cluster.local/", `host vault.vault.svc.cluster.local, port 443: ${denied("cluster")}`],
    ["https://kubernetes.default.svc/", `host kubernetes.default.svc, port 443: ${denied("cluster")}`],
    ["https://169.254.169.254/", `host 169.254.169.254, port 443: ${denied("link-local")}`],
    ["http://charts.example/", "host charts.example: http:// is denied by egress.allowPlainHTTP"],
    ["https://10.112.0.1/", "permitted"],
    ["https://charts.example/", "permitted"],
  ])("%s: %s", (url, want) => {
    expect(judge(url, hardened)).toBe(want);
  });

  it("permits neither insecure-skip-tls-verify nor proxy-url, unless told so", () => {
    expect(createEgressPolicy(hardened)).toMatchObject({ allowsInsecureSkipTLSVerify: false, allowsProxyURL: false });
    const told = { ...hardened, allowInsecureSkipTLSVerify: true, allowProxyURL: true, allowPlainHTTP: true };
    expect(createEgressPolicy(told)).toMatchObject({ allowsInsecureSkipTLSVerify: true, allowsProxyURL: true });
    expect(judge("http://charts.example/", told)).toBe("permitted");
    expect(createEgressPolicy({})).toMatchObject({ allowsInsecureSkipTLSVerify: true, allowsProxyURL: true });
  });
});

describe("entries", () => {
  const byDeny = (entry: string): string => `denied by the entry "${entry}" of egress.deny`;
  const listed = "denied because egress.onlyAllowed is set";
  it.each<readonly [string, Settings, string, string]>([
    [
      "deny by name",
      { deny: ["Evil.example"] },
      "https://evil.example/",
      `host evil.example, port 443: ${byDeny("Evil.example")}`,
    ],
    [
      "deny by domain",
      { deny: ["*.evil.example"] },
      "https://a.b.evil.example/",
      `host a.b.evil.example, port 443: ${byDeny("*.evil.example")}`,
    ],
    ["a domain is not its parent", { deny: ["*.evil.example"] }, "https://evil.example/", "permitted"],
    ["deny by CIDR", { deny: ["10.0.0.0/8"] }, "https://10.1.2.3/", `host 10.1.2.3, port 443: ${byDeny("10.0.0.0/8")}`],
    ["deny by port", { deny: ["10.0.0.0/8:22"] }, "https://10.1.2.3/", "permitted"],
    [
      "deny at a port",
      { deny: ["10.0.0.0/8:22"] },
      "https://10.1.2.3:22/",
      `host 10.1.2.3, port 22: ${byDeny("10.0.0.0/8:22")}`,
    ],
    [
      "deny IPv6 at a port",
      { deny: ["[fd00::/8]:22"] },
      "https://[fd00::1]:22/",
      `host fd00::1, port 22: ${byDeny("[fd00::/8]:22")}`,
    ],
    [
      "deny wins over allow",
      { deny: ["10.0.0.0/8"], allow: ["10.1.2.3"] },
      "https://10.1.2.3/",
      `host 10.1.2.3, port 443: ${byDeny("10.0.0.0/8")}`,
    ],
    ["allow lifts what the profile denies", { allow: ["169.254.20.0/24"] }, "https://169.254.20.1/", "permitted"],
    ["allow lifts a name", { ...hardened, allow: ["hub.example"] }, "https://hub.example/", "permitted"],
    [
      "only what is allowed, by address",
      { onlyAllowed: true, allow: ["10.0.0.0/8"] },
      "https://10.1.2.3/",
      "permitted",
    ],
    [
      "only what is allowed, another address",
      { onlyAllowed: true, allow: ["10.0.0.0/8"] },
      "https://11.1.2.3/",
      `host 11.1.2.3, port 443: ${listed}`,
    ],
  ])("%s", (...[, settings, url, want]) => {
    expect(judge(url, settings)).toBe(want);
  });

  it("judge the name alone when a proxy resolves it", () => {
    const settings = { onlyAllowed: true, allow: ["*.example", "10.0.0.0/8"] };
    expect(judge("https://a.example/", settings, "proxied")).toBe("permitted");
    expect(judge("https://a.other/", settings, "proxied")).toBe(`host a.other, port 443: ${listed}`);
    expect(judge("https://10.1.1.1/", settings, "proxied")).toBe("permitted");
    expect(judge("https://metadata.google.internal/", {}, "proxied")).toBe(
      `host metadata.google.internal, port 443: ${denied("link-local")}`,
    );
  });

  it("a proxy may be asked by http, what it is asked for may not", () => {
    expect(judge("http://proxy.example/", hardened, "proxy")).toBe("permitted");
    expect(judge("http://api.example/", hardened, "proxied")).toBe(
      "host api.example: http:// is denied by egress.allowPlainHTTP",
    );
  });

  it.each(["10.0.0.0/33", "10.0.0.0/x", "a b", "", "https://a.example", "*"])("%p is refused by its place", (entry) => {
    expect(() => createEgressPolicy({ deny: ["a.example", entry] })).toThrow(
      `egress.deny[1]: expected a host name, *.DOMAIN, an IP address or a CIDR, found "${entry}"`,
    );
  });
});

/** Answers of a name server, one after the other; the last one again and again. */
function resolver(...answers: readonly (readonly string[])[]): ResolveHost & { asked: number } {
  const resolve = async (): Promise<{ address: string; family: number }[]> => {
    const answer = answers[Math.min(resolve.asked++, answers.length - 1)] ?? [];
    return await Promise.resolve(answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  };
  resolve.asked = 0;
  return resolve;
}

async function lookUp(host: string, resolve: ResolveHost, settings: Settings = {}): Promise<unknown> {
  const policy = createEgressPolicy(settings, { resolve, ownHosts: ["hub.example"] });
  return await new Promise((done) => {
    policy.lookupFor(443)(host, { all: true }, (error, addresses) => done(error?.message ?? addresses));
  });
}

describe("the lookup", () => {
  it("gives the connection the addresses that were judged", async () => {
    expect(await lookUp("a.example", resolver(["192.0.2.1", "2001:db8::1"]))).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
  });

  it("judges every address", async () => {
    expect(await lookUp("a.example", resolver(["192.0.2.1", "169.254.169.254"]))).toBe(
      `host a.example, port 443: address 169.254.169.254: ${denied("link-local")}`,
    );
  });

  it("an entry for a name does not permit an address that the profile denies", async () => {
    const settings = { allow: ["a.example"] };
    expect(await lookUp("a.example", resolver(["169.254.169.254"]), settings)).toBe(
      `host a.example, port 443: address 169.254.169.254: ${denied("link-local")}`,
    );
  });

  it("only what is allowed: by name, or by all addresses", async () => {
    const settings = { onlyAllowed: true, allow: ["a.example", "10.0.0.0/8"] };
    expect(await lookUp("a.example", resolver(["192.0.2.1"]), settings)).toHaveLength(1);
    expect(await lookUp("b.example", resolver(["10.0.0.1"]), settings)).toHaveLength(1);
    expect(await lookUp("b.example", resolver(["10.0.0.1", "192.0.2.1"]), settings)).toBe(
      "host b.example, port 443: address 192.0.2.1: denied because egress.onlyAllowed is set",
    );
  });

  it("hardened: another name for the address of the own API server", async () => {
    expect(await lookUp("mine.example", resolver(["203.0.113.5"]), hardened)).toBe(
      `host mine.example, port 443: address 203.0.113.5: ${denied("cluster")}`,
    );
  });

  it("passes on that a name does not exist", async () => {
    const resolve: ResolveHost = async () => await Promise.reject(new Error("getaddrinfo ENOTFOUND a.example"));
    expect(await lookUp("a.example", resolve)).toBe("getaddrinfo ENOTFOUND a.example");
  });

  it("is the only resolution of a connection: a name that changes its address meanwhile gains nothing", async () => {
    const server = createServer((socket) => socket.end("reached"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    // Also without the check the second connection ends on loopback.
    const resolve = resolver(["127.0.0.1"], ["127.0.0.2"]);
    const policy = createEgressPolicy({ deny: ["127.0.0.2"] }, { resolve });
    const open = async (): Promise<string> => {
      const socket = connect({ host: "rebinding.example", port, lookup: policy.lookupFor(port) });
      try {
        const [data] = (await once(socket, "data")) as [Buffer];
        return data.toString();
      } catch (error) {
        return (error as Error).message;
      } finally {
        socket.destroy();
      }
    };
    expect(await open()).toBe("reached");
    expect(resolve.asked).toBe(1);
    expect(await open()).toBe(
      `host rebinding.example, port ${port}: address 127.0.0.2: denied by the entry "127.0.0.2" of egress.deny`,
    );
    server.close();
  });
});
