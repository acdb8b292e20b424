import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createCertificate, decodePem, parseCertificate } from "@landscaper/x509";
import { createSignature, signatureAlgorithms, type SignatureOptions } from "./create-signature.ts";
import { verifySignature } from "./verify-signature.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const spki = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const pem = (key: KeyObject, type: "pkcs8" | "pkcs1" = "pkcs8"): string =>
  key.export({ type, format: "pem" }).toString();
const where = "component example.com/a:1.0.0";
const base: SignatureOptions = {
  name: "release",
  text: '{"component":{"name":"example.com/a"}}',
  normalisationAlgorithm: "jsonNormalisation/v3",
  hashAlgorithm: "SHA-256",
  algorithm: "RSASSA-PKCS1-V1_5",
  privateKey: pem(pair.privateKey),
  where,
};
const verify = (options: SignatureOptions, keys: { publicKey?: string; authorities?: string }): void => {
  const signature = createSignature(options);
  verifySignature({ signature, text: options.text, keys, where });
};

describe("a signature that was made", () => {
  it.each(
    signatureAlgorithms.flatMap((algorithm) =>
      ["SHA-256", "SHA-512"].map((hashAlgorithm) => ({ algorithm, hashAlgorithm })),
    ),
  )("verifies: $algorithm over $hashAlgorithm", (options) => {
    const all = { ...base, ...options };
    expect(() => verify(all, { publicKey: spki })).not.toThrow();
    const signature = createSignature(all);
    expect(() => verifySignature({ signature, text: `${all.text} `, keys: { publicKey: spki }, where })).toThrow(
      /digest mismatch/,
    );
  });

  it("takes a key in the form PKCS#1", () => {
    expect(() => verify({ ...base, privateKey: pem(pair.privateKey, "pkcs1") }, { publicKey: spki })).not.toThrow();
  });

  it("is the same each time with PKCS#1 v1.5", () => {
    expect(createSignature(base)).toEqual(createSignature(base));
  });
});

const subject = (commonName: string) => ({ commonName, organization: ["example"] });
const validity = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2027-01-01T00:00:00Z") };
const serial = (): Buffer => Buffer.concat([Buffer.from([1]), randomBytes(7)]);
const authority = generateKeyPairSync("rsa", { modulusLength: 2048 });
const root = createCertificate(
  { subject: subject("root"), publicKey: authority.publicKey, serial: serial(), isAuthority: true, ...validity },
  { key: authority.privateKey },
);
const certificate = createCertificate(
  {
    subject: subject("release"),
    publicKey: pair.publicKey,
    serial: serial(),
    isAuthority: false,
    extendedKeyUsages: ["codeSigning"],
    ...validity,
  },
  { key: authority.privateKey, certificate: parseCertificate(decodePem(root)!.der) },
);

describe("a signature with a certificate", () => {
  it.each(signatureAlgorithms)("is verified by its authority: %s", (algorithm) => {
    const options = { ...base, algorithm, certificates: `${certificate}${root}` };
    expect(() => verify(options, { authorities: root })).not.toThrow();
    expect(createSignature(options).signature).toMatchObject({
      algorithm,
      mediaType: "application/x-pem-file",
      issuer: "O=example,CN=release",
      value: expect.stringMatching(
        new RegExp(
          `^-----BEGIN SIGNATURE-----\nSignature Algorithm: ${algorithm}\n\n[^]*\n-----END SIGNATURE-----\n-----BEGIN C`,
        ),
      ),
    });
  });

  it("leaves the issuer out where it is not wanted", () => {
    const { signature } = createSignature({ ...base, certificates: certificate, hasIssuer: false });
    expect(signature).not.toHaveProperty("issuer");
  });
});

const place = `${where}: signature "release"`;
const expectedKey = `${place}: private key: expected PEM with PRIVATE KEY or RSA PRIVATE KEY, found`;
const encrypted = pair.privateKey
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
  .toString();

describe("a signature is not made", () => {
  it.each<[string, Partial<SignatureOptions>, string]>([
    ["of a public key", { privateKey: spki }, `${expectedKey} something else`],
    ["of a text that is no key", { privateKey: "s3cret" }, `${expectedKey} something else`],
    ["of a key with a passphrase", { privateKey: encrypted }, `${expectedKey} one with a passphrase`],
    [
      "of a key of another kind",
      { privateKey: pem(generateKeyPairSync("ed25519").privateKey) },
      `${place}: private key: expected the type rsa, found ed25519`,
    ],
    ["over another hash", { hashAlgorithm: "MD5" }, `${place}: unknown hash "MD5"; expected SHA-256 or SHA-512`],
    [
      "with a certificate of another key",
      { certificates: root },
      `${place}: certificate: the one of "O=example,CN=root" is not of the private key`,
    ],
    [
      "with a certificate of another name",
      { certificates: certificate, name: "other" },
      `${where}: signature "other": certificate: expected the common name "other", found the subject "O=example,CN=release"`,
    ],
    [
      "with no certificate",
      { certificates: "none" },
      `${place}: certificate: expected certificates as PEM, found none`,
    ],
  ])("%s", (_, options, message) => {
    expect(() => createSignature({ ...base, ...options })).toThrow(new Error(message));
  });
});
