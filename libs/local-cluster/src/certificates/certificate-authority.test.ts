import { X509Certificate, createPrivateKey } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createCertificateAuthority } from "./certificate-authority.ts";
import { bits, boolean, explicit, integer, objectId, sequence, tagged, time, utf8 } from "./der.ts";

const hex = (buffer: Buffer): string => buffer.toString("hex");

describe("DER", () => {
  it.each([
    ["a small integer", integer(Buffer.from([2])), "020102"],
    ["an integer whose first bit is set", integer(Buffer.from([0x80])), "02020080"],
    ["an integer with leading zeros", integer(Buffer.from([0, 0, 1])), "020101"],
    ["zero", integer(Buffer.from([0])), "020100"],
    ["true", boolean(true), "0101ff"],
    ["an object identifier with a long arc", objectId("1.2.840.10045.4.3.2"), "06082a8648ce3d040302"],
    ["an object identifier with a short form", objectId("2.5.4.3"), "0603550403"],
    ["a string", utf8("é"), "0c02c3a9"],
    ["a bit string", bits(Buffer.from([0x80]), 7), "03020780"],
    ["nesting", sequence(boolean(false), explicit(3, integer(Buffer.from([1])))), "3008010100a303020101"],
    ["a time before 2050", time(new Date("2026-11-21T09:08:07.123Z")), "170d3236313132313039303830375a"],
    ["a time from 2050", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
  ])("encodes %s", (_name, encoded, want) => {
    expect(hex(encoded)).toBe(want);
  });

  it.each([
    [127, "7f"],
    [128, "8180"],
    [300, "82012c"],
  ])("encodes the length %d", (size, want) => {
    expect(hex(tagged(0x04, Buffer.alloc(size))).slice(2, 2 + want.length)).toBe(want);
  });
});

describe("createCertificateAuthority", () => {
  const authority = createCertificateAuthority("test authority", Date.now);
  const root = new X509Certificate(authority.cert);

  it("signs itself and may sign others", () => {
    expect({ subject: root.subject, issuer: root.issuer, ca: root.ca, verified: root.verify(root.publicKey) }).toEqual({
      subject: "CN=test authority",
      issuer: "CN=test authority",
      ca: true,
      verified: true,
    });
  });

  it("issues a certificate for hosts that matches its key", () => {
    const issued = authority.issue({ commonName: "server", hosts: ["localhost", "127.0.0.1", "::1"] });
    const certificate = new X509Certificate(issued.cert);
    expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    expect(certificate.checkIssued(root) && certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it("refuses an address that it cannot encode", () => {
    expect(() => authority.issue({ commonName: "server", hosts: ["fd00::1"] })).toThrow(
      "no certificate can be issued for the address fd00::1: of IPv6 only ::1 is known",
    );
  });

  it("names user and groups of a client", () => {
    const issued = authority.issue({ commonName: "admin", organizations: ["system:masters", "dev"] });
    expect(new X509Certificate(issued.cert).subject).toBe("O=system:masters\nO=dev\nCN=admin");
  });

  it("is valid from before now, for clocks that differ", () => {
    expect(Date.parse(root.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(root.validTo)).toBeGreaterThan(Date.now() + 24 * 3_600_000);
  });
});
