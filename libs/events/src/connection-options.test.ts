import { expect, it } from "@jest/globals";
import { connectionOptions } from "./connection-options.ts";

interface Names {
  /** The name that Node.js checks. */
  readonly name: string;
  /** The names in the certificate. */
  readonly subjectaltname: string;
}

function isAccepted(url: string, { name, subjectaltname }: Names): boolean {
  const check = Reflect.get(connectionOptions(url).tls ?? {}, "checkServerIdentity") as (...args: unknown[]) => unknown;
  return check(name, { subject: { CN: "x" }, subjectaltname }) === undefined;
}

it.each([
  ["tls://10.0.0.1:4222", "localhost", "IP Address:10.0.0.1", true],
  ["tls://10.0.0.1:4222", "localhost", "DNS:localhost", false],
  ["tls://10.0.0.1:4222", "localhost", "IP Address:10.0.0.2", false],
  ["tls://10.0.0.1,10.0.0.2", "localhost", "IP Address:10.0.0.2", true],
  ["tls://[fd00::1]:4222", "localhost", "IP Address:FD00:0:0:0:0:0:0:1", true],
  ["tls://localhost", "localhost", "DNS:localhost", true],
  ["tls://nats.example", "nats.example", "DNS:nats.example", true],
  ["tls://nats.example", "nats.example", "DNS:other.example", false],
])("%s with the checked name %s and a certificate for %s: %s", (...[url, name, subjectaltname, want]) => {
  expect(isAccepted(url, { name, subjectaltname })).toBe(want);
});

it("demands no TLS for nats://", () => {
  expect(connectionOptions("nats://10.0.0.1").tls).toBeUndefined();
});
