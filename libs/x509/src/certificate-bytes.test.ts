import { createPublicKey, createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import {
  type CertificateRequest,
  createCertificate,
  createKey,
  decodePem,
  type ExtendedKeyUsage,
  type KeyUsage,
  parseCertificate,
  publicKeyPem,
  sshPublicKey,
  X509Error,
} from "./index.ts";

const key = createKey({ type: "ecdsa", curve: "P-256" });
const own = { key: createPrivateKey(key) };
const base: CertificateRequest = {
  subject: { commonName: "test" },
  publicKey: createPublicKey(key),
  serial: Buffer.from([1, 2, 3]),
  notBefore: new Date("1950-01-02T03:04:05Z"),
  notAfter: new Date("2049-12-31T23:59:59Z"),
  isAuthority: false,
};
const derOf = (pem: string): Buffer => decodePem(pem)?.der ?? Buffer.alloc(0);
const create = (parts: Partial<CertificateRequest> = {}): Buffer =>
  derOf(createCertificate({ ...base, ...parts }, own));

const basicConstraints = "0603551d130101ff04";
const subjectKeyIdentifier = "0603551d0e04160414";
const subjectAlternativeName = "0603551d11";

describe("the bytes of a certificate (RFC 5280)", () => {
  it("of an authority have version 3, critical basic constraints and a key identifier", () => {
    const der = create({ isAuthority: true });
    const hex = der.toString("hex");
    expect(hex).toContain("a0030201020203010203");
    expect(hex).toContain(`${basicConstraints}0530030101ff`);
    expect(hex).toContain(subjectKeyIdentifier);
    expect(parseCertificate(der).subjectKeyId).toHaveLength(20);
  });

  it("of a leaf have empty basic constraints, no key identifier and no alternative names", () => {
    const der = create();
    const hex = der.toString("hex");
    expect(hex).toContain(`${basicConstraints}023000`);
    expect(hex).not.toContain(subjectKeyIdentifier);
    expect(hex).not.toContain(subjectAlternativeName);
    expect(parseCertificate(der).subjectKeyId).toBeUndefined();
  });

  it("have critical alternative names only without a subject", () => {
    const dnsNames = ["a"];
    expect(create({ dnsNames }).toString("hex")).toContain(`${subjectAlternativeName}0405`);
    expect(create({ dnsNames, subject: {} }).toString("hex")).toContain(`${subjectAlternativeName}0101ff0405`);
  });

  it("have the years 1950 to 2049 in short times", () => {
    const { notBefore, notAfter } = parseCertificate(create());
    expect([notBefore, notAfter]).toEqual([base.notBefore, base.notAfter]);
  });

  it.each<[ExtendedKeyUsage, string]>([
    ["any", "2.5.29.37.0"],
    ["serverAuth", "1.3.6.1.5.5.7.3.1"],
    ["clientAuth", "1.3.6.1.5.5.7.3.2"],
    ["codeSigning", "1.3.6.1.5.5.7.3.3"],
    ["emailProtection", "1.3.6.1.5.5.7.3.4"],
    ["ipsecEndSystem", "1.3.6.1.5.5.7.3.5"],
    ["ipsecTunnel", "1.3.6.1.5.5.7.3.6"],
    ["ipsecUser", "1.3.6.1.5.5.7.3.7"],
    ["timeStamping", "1.3.6.1.5.5.7.3.8"],
    ["ocspSigning", "1.3.6.1.5.5.7.3.9"],
    ["microsoftServerGatedCrypto", "1.3.6.1.4.1.311.10.3.3"],
    ["netscapeServerGatedCrypto", "2.16.840.1.113730.4.1"],
    ["microsoftCommercialCodeSigning", "1.3.6.1.4.1.311.2.1.22"],
    ["microsoftKernelCodeSigning", "1.3.6.1.4.1.311.61.1.1"],
  ])("write the purpose %s as %s", (usage, id) => {
    expect(new X509Certificate(create({ extendedKeyUsages: [usage] })).keyUsage).toEqual([id]);
  });

  it.each<[KeyUsage, string]>([
    ["digitalSignature", "03020780"],
    ["contentCommitment", "03020640"],
    ["keyEncipherment", "03020520"],
    ["dataEncipherment", "03020410"],
    ["keyAgreement", "03020308"],
    ["keyCertSign", "03020204"],
    ["cRLSign", "03020102"],
    ["encipherOnly", "03020001"],
    ["decipherOnly", "0303070080"],
  ])("write the usage %s as %s", (usage, bits) => {
    const der = create({ keyUsages: [usage] });
    expect(der.toString("hex")).toContain(`0603551d0f0101ff040${bits.length / 2}${bits}`);
    expect(parseCertificate(der).keyUsages).toEqual([usage]);
  });

  it("write names in the order of Go, without empty fields", () => {
    const subject = { commonName: "n", organization: ["o"], country: ["C"] };
    expect(new X509Certificate(create({ subject })).subject).toBe("C=C\nO=o\nCN=n");
    expect(parseCertificate(create({ subject: {} })).subject).toEqual({
      country: [],
      organization: [],
      commonName: "",
    });
  });

  it("contain names of ASCII characters only", () => {
    expect(create({ dnsNames: ["\u007f"] }).toString("hex")).toContain("82017f");
    expect(() => create({ dnsNames: ["\u0080"] })).toThrow(
      new X509Error('x509: "\u0080" cannot be encoded as an IA5String'),
    );
  });

  it("are not made of a DSA key", () => {
    const publicKey = createPublicKey(createKey({ type: "dsa" }));
    expect(() => create({ publicKey })).toThrow(new X509Error("x509: unsupported public key type: *dsa.PublicKey"));
  });

  it("are refused if they are malformed", () => {
    expect(() => parseCertificate(Buffer.from("3000", "hex"))).toThrow("x509: malformed certificate");
  });
});

describe("public keys", () => {
  const partsOf = (line: string): readonly string[] => {
    const [, text = ""] = line.trim().split(" ");
    const blob = Buffer.from(text, "base64");
    const parts: string[] = [];
    for (let at = 0; at < blob.length;) {
      const end = at + 4 + blob.readUInt32BE(at);
      parts.push(blob.subarray(at + 4, end).toString("hex"));
      at = end;
    }
    return parts;
  };
  const hexOf = (text: string): string => Buffer.from(text).toString("hex");

  it("of RSA have the exponent and the modulus for SSH", () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const { n = "", e = "" } = publicKey.export({ format: "jwk" });
    const number = (text: string): string => Buffer.from(text, "base64url").toString("hex");
    const line = sshPublicKey(publicKey);
    expect(line).toMatch(/^ssh-rsa \S+\n$/);
    expect(partsOf(line)).toEqual([hexOf("ssh-rsa"), number(e), `00${number(n)}`]);
  });

  it("of P-256 have the curve and the point for SSH", () => {
    const { x = "", y = "" } = base.publicKey.export({ format: "jwk" });
    const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
    const line = sshPublicKey(base.publicKey);
    expect(line).toMatch(/^ecdsa-sha2-nistp256 \S+\n$/);
    expect(partsOf(line)).toEqual([hexOf("ecdsa-sha2-nistp256"), hexOf("nistp256"), point.toString("hex")]);
  });

  it("have the label of their kind", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    expect(publicKeyPem(publicKey, "spki")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(publicKeyPem(base.publicKey, "spki")).toMatch(/^-----BEGIN ECDSA PUBLIC KEY-----\n/);
  });
});
