import { describe, expect, it } from "@jest/globals";
import { parseServers } from "./nats-servers.ts";

const plain = { user: undefined, password: undefined, demandsTls: false };

describe("parseServers", () => {
  it.each([
    ["nats://127.0.0.1:4333", { ...plain, addresses: ["127.0.0.1:4333"] }],
    ["nats.events", { ...plain, addresses: ["nats.events:4222"] }],
    ["nats://a, nats://b:1 ,", { ...plain, addresses: ["a:4222", "b:1"] }],
    ["tls://nats.events", { ...plain, addresses: ["nats.events:4222"], demandsTls: true }],
    ["nats://[::1]:4222", { ...plain, addresses: ["[::1]:4222"] }],
    ["nats://me:p%40ss@host", { ...plain, addresses: ["host:4222"], user: "me", password: "p@ss" }],
  ])("understands %s", (text, want) => {
    expect(parseServers(text)).toEqual(want);
  });

  it.each(["http://host", "nats://", "nats://me:hunter2@host:port"])("refuses %s without repeating it", (text) => {
    expect(() => parseServers(text)).toThrow(
      new TypeError('NATS servers: expected "nats://host:port" or "tls://host:port", separated by commas'),
    );
  });

  it("names a user or password that is not percent-encoded, without repeating it", () => {
    expect(() => parseServers("nats://me:hunter%zz@host")).toThrow(
      new TypeError('NATS servers: user and password must be percent-encoded: write "%25" for "%"'),
    );
  });
});
