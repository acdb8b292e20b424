import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  type CertificateRequest,
  createCertificate,
  createKey,
  decodePem,
  type ExtendedKeyUsage,
  ipBytes,
  type KeyKind,
  type KeyUsage,
  parseCertificate,
  parsePrivateKey,
  X509Error,
} from "./index.ts";

const derOf = (pem: string): Buffer => decodePem(pem)?.der ?? Buffer.alloc(0);
const p256: KeyKind = { type: "ecdsa", curve: "P-256" };

function request(key: string, parts: Partial<CertificateRequest> = {}): CertificateRequest {
  return {
    subject: { commonName: "test" },
    publicKey: createPublicKey(key),
    serial: Buffer.from([1, 2, 3]),
    notBefore: new Date("2026-01-02T03:04:05.678Z"),
    notAfter: new Date("2051-01-02T03:04:05Z"),
    isAuthority: false,
    ...parts,
  };
}

describe("createCertificate", () => {
  it.each<[string, KeyKind, string]>([
    ["RSA", { type: "rsa", bits: 1024 }, "sha256WithRSAEncryption"],
    ["P-224", { type: "ecdsa", curve: "P-224" }, "ecdsa-with-SHA256"],
    ["P-256", p256, "ecdsa-with-SHA256"],
    ["P-384", { type: "ecdsa", curve: "P-384" }, "ecdsa-with-SHA384"],
    ["P-521", { type: "ecdsa", curve: "P-521" }, "ecdsa-with-SHA512"],
    ["Ed25519", { type: "ed25519" }, "ED25519"],
  ])("signs with %s keys", (_, kind, algorithm) => {
    const key = createKey(kind);
    const authority = createCertificate(request(key, { isAuthority: true }), { key: createPrivateKey(key) });
    const issuer = { key: createPrivateKey(key), certificate: parseCertificate(derOf(authority)) };
    const leaf = createCertificate(request(createKey(p256), { subject: { commonName: "leaf" } }), issuer);
    const [parent, child] = [new X509Certificate(authority), new X509Certificate(leaf)];
    expect({
      self: parent.verify(parent.publicKey),
      child: child.verify(parent.publicKey),
      issued: child.checkIssued(parent),
      key: parent.checkPrivateKey(createPrivateKey(key)),
      ca: [parent.ca, child.ca],
      algorithm: child.signatureAlgorithm,
    }).toEqual({ self: true, child: true, issued: true, key: true, ca: [true, false], algorithm });
  });

  it("is refused when the key is not that of the issuer", () => {
    const [key, other] = [createKey(p256), createKey(p256)];
    const certificate = parseCertificate(
      derOf(createCertificate(request(key, { isAuthority: true }), { key: createPrivateKey(key) })),
    );
    const issuer = { key: createPrivateKey(other), certificate };
    expect(() => createCertificate(request(key), issuer)).toThrow(
      new X509Error("x509: provided PrivateKey doesn't match parent's PublicKey"),
    );
  });

  it("leaves nothing behind in the crypto library when it was refused", () => {
    const [key, other] = [createKey(p256), createKey({ type: "rsa", bits: 1024 })];
    const certificate = parseCertificate(
      derOf(createCertificate(request(key, { isAuthority: true }), { key: createPrivateKey(key) })),
    );
    expect(() => createCertificate(request(key), { key: createPrivateKey(other), certificate })).toThrow(X509Error);
    const block = decodePem(other);
    expect(block === undefined ? "" : parsePrivateKey(block)?.asymmetricKeyType).toBe("rsa");
  });

  it.each<[string, Partial<CertificateRequest>, string]>([
    ["a DNS name beyond ASCII", { dnsNames: ["ä.de"] }, 'x509: "ä.de" cannot be encoded as an IA5String'],
    [
      "a year of five digits",
      { notAfter: new Date("+010000-01-01T00:00:00Z") },
      "asn1: structure error: cannot represent time as GeneralizedTime",
    ],
  ])("refuses %s", (_, parts, message) => {
    const key = createKey(p256);
    expect(() => createCertificate(request(key, parts), { key: createPrivateKey(key) })).toThrow(
      new X509Error(message),
    );
  });

  it("says the same to others as was asked for", () => {
    const key = createKey(p256);
    const names = {
      dnsNames: ["a.example", "*.b.example"],
      ipAddresses: ["10.0.0.1", "fd00::1"].map((ip) => ipBytes(ip) ?? Buffer.alloc(0)),
    };
    const subject = { commonName: "t*", organization: ["o2", "o1"], country: ["DE"] };
    const parsed = new X509Certificate(
      createCertificate(request(key, { ...names, subject }), { key: createPrivateKey(key) }),
    );
    expect([parsed.subject, parsed.subjectAltName, parsed.serialNumber, parsed.validFrom, parsed.validTo]).toEqual([
      "C=DE\nO=o1 + O=o2\nCN=t*",
      "DNS:a.example, DNS:*.b.example, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1",
      "010203",
      "Jan  2 03:04:05 2026 GMT",
      "Jan  2 03:04:05 2051 GMT",
    ]);
  });
});

const usages: KeyUsage[] = ["digitalSignature", "contentCommitment", "keyEncipherment", "keyCertSign", "decipherOnly"];
const purposes: ExtendedKeyUsage[] = ["any", "serverAuth", "ocspSigning", "netscapeServerGatedCrypto"];
const texts = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const requests = fc.record({
  subject: fc.record({
    commonName: texts,
    organization: fc.array(texts, { maxLength: 3 }).map((values) => values.toSorted(byEncoding)),
    country: fc.array(texts, { maxLength: 1 }),
  }),
  notBefore: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
  notAfter: fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
  isAuthority: fc.boolean(),
  keyUsages: fc.subarray(usages),
  extendedKeyUsages: fc.subarray(purposes),
  dnsNames: fc.array(fc.domain(), { maxLength: 3 }),
  ipAddresses: fc.array(
    fc.oneof(fc.ipV4(), fc.ipV6()).filter((ip) => ipBytes(ip) !== undefined),
    { maxLength: 3 },
  ),
});

/** Values of one field come sorted by their encoding: kind of text, length, bytes. */
function byEncoding(a: string, b: string): number {
  const key = (value: string): Buffer => {
    const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([bytes.length, isPrintable ? 1 : 0, bytes.length]), bytes]);
  };
  return Buffer.compare(key(a), key(b));
}

describe("parseCertificate", () => {
  const key = createKey(p256);

  it("reads what createCertificate writes", () => {
    fc.assert(
      fc.property(requests, (wanted) => {
        const asked = request(key, {
          ...wanted,
          ipAddresses: wanted.ipAddresses.map((ip) => ipBytes(ip) ?? Buffer.alloc(0)),
        });
        const found = parseCertificate(derOf(createCertificate(asked, { key: createPrivateKey(key) })));
        expect({
          ...found,
          ipAddresses: found.ipAddresses.map(ipBytes),
          notBefore: found.notBefore.getTime(),
          notAfter: found.notAfter.getTime(),
        }).toMatchObject({
          ...wanted,
          ipAddresses: wanted.ipAddresses.map(ipBytes),
          notBefore: Math.floor(wanted.notBefore.getTime() / 1000) * 1000,
          notAfter: Math.floor(wanted.notAfter.getTime() / 1000) * 1000,
        });
      }),
      { seed: 20260101, numRuns: 60 },
    );
  });

  it("never throws anything but X509Error on damaged certificates", () => {
    const der = derOf(createCertificate(request(key, { dnsNames: ["a"] }), { key: createPrivateKey(key) }));
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.nat(255), fc.nat(der.length), (at, byte, length) => {
        const damaged = Buffer.from(der);
        damaged[at] = byte;
        for (const bytes of [damaged, damaged.subarray(0, length)]) {
          try {
            parseCertificate(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(X509Error);
          }
        }
      }),
      { seed: 20260102, numRuns: 300 },
    );
  });
});
