import { createHash, generateKeyPairSync, randomBytes, sign, constants, type KeyObject } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createCertificate, decodePem, parseCertificate, type CertificateRequest } from "@landscaper/x509";
import type { Signature } from "../descriptor-schemas.ts";
import { verifySignature, type TrustedKeys } from "./verify-signature.ts";

const text = '{"component":{"name":"example.com/a"}}';
const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const signer = pair();
const other = pair();
const spki = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
const pkcs1 = (key: KeyObject): string => key.export({ type: "pkcs1", format: "pem" }).toString();
const hash = (algorithm: string): string => createHash(algorithm).update(text).digest("hex");

function signText(algorithm: "RSASSA-PKCS1-V1_5" | "RSASSA-PSS", key = signer.privateKey, hashName = "sha256"): Buffer {
  const isPss = algorithm === "RSASSA-PSS";
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  return sign(hashName, Buffer.from(text), { key, padding, ...(isPss ? { saltLength: 20 } : {}) });
}

const rsa = "application/vnd.ocm.signature.rsa";
const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "jsonNormalisation/v3", value: hash("sha256") };
const plain = {
  algorithm: "RSASSA-PKCS1-V1_5",
  mediaType: rsa,
  value: signText("RSASSA-PKCS1-V1_5").toString("hex"),
};
const signatureOf = (signature: Signature["signature"], more: Partial<Signature> = {}): Signature => ({
  name: "release",
  digest,
  signature,
  ...more,
});
const check =
  (signature: Signature, keys: TrustedKeys, signed = text) =>
  (): void =>
    verifySignature({ signature, text: signed, keys, where: "component example.com/a:1.0.0" });

const place = 'component example.com/a:1.0.0: signature "release"';

describe("a signature with a public key", () => {
  it.each([
    { name: "PKCS#1 v1.5", signature: signatureOf(plain), key: spki(signer.publicKey) },
    { name: "with a key as RSA PUBLIC KEY", signature: signatureOf(plain), key: pkcs1(signer.publicKey) },
    {
      name: "PSS, of any length of salt",
      signature: signatureOf({
        algorithm: "RSASSA-PSS",
        mediaType: `${rsa}.pss`,
        value: signText("RSASSA-PSS").toString("hex"),
      }),
      key: spki(signer.publicKey),
    },
    {
      name: "over SHA-512, in its other spelling",
      signature: signatureOf(
        { ...plain, value: signText("RSASSA-PKCS1-V1_5", signer.privateKey, "sha512").toString("hex") },
        { digest: { ...digest, hashAlgorithm: "sha512", value: hash("sha512") } },
      ),
      key: spki(signer.publicKey),
    },
  ])("is accepted: $name", ({ signature, key }) => {
    expect(check(signature, { publicKey: key })).not.toThrow();
  });

  it.each([
    {
      name: "another text",
      run: check(signatureOf(plain), { publicKey: spki(signer.publicKey) }, `${text} `),
      message: `${place}: digest mismatch: ${hash("sha256")} was signed, the component version has ${createHash("sha256").update(`${text} `).digest("hex")}`,
    },
    {
      name: "another text with its own hash",
      run: check(
        signatureOf(plain, { digest: { ...digest, value: createHash("sha256").update("x").digest("hex") } }),
        { publicKey: spki(signer.publicKey) },
        "x",
      ),
      message: `${place}: the signature is not of the given key`,
    },
    {
      name: "another key",
      run: check(signatureOf(plain), { publicKey: spki(other.publicKey) }),
      message: `${place}: the signature is not of the given key`,
    },
    {
      name: "another algorithm than it was made with",
      run: check(signatureOf({ ...plain, algorithm: "RSASSA-PSS" }), { publicKey: spki(signer.publicKey) }),
      message: `${place}: the signature is not of the given key`,
    },
    {
      name: "no key",
      run: check(signatureOf(plain), {}),
      message: `${place}: it brings no certificate; give the public key of its signer`,
    },
    {
      name: "a private key in place of the public one",
      run: check(signatureOf(plain), { publicKey: pkcs1(signer.privateKey) }),
      message: `${place}: the public key cannot be read; expected PEM: PUBLIC KEY, RSA PUBLIC KEY or CERTIFICATE`,
    },
    {
      name: "a key of another kind",
      run: check(signatureOf(plain), { publicKey: spki(generateKeyPairSync("ed25519").publicKey) }),
      message: `${place}: the public key is of type ed25519; expected rsa`,
    },
    {
      name: "something else than hex",
      run: check(signatureOf({ ...plain, value: "zz" }), { publicKey: spki(signer.publicKey) }),
      message: `${place}: expected hex digits as value of the signature`,
    },
    {
      name: "a hash that is not known",
      run: check(signatureOf(plain, { digest: { ...digest, hashAlgorithm: "MD5" } }), {
        publicKey: spki(signer.publicKey),
      }),
      message: `${place}: unknown hash "MD5"; expected SHA-256 or SHA-512`,
    },
    {
      name: "sigstore",
      run: check(signatureOf({ ...plain, mediaType: "application/vnd.ocm.signature.sigstore" }), {}),
      message: `${place}: signatures of sigstore cannot be verified; sign with RSASSA-PKCS1-V1_5 or RSASSA-PSS`,
    },
    {
      name: "a media type that is not known",
      run: check(signatureOf({ ...plain, mediaType: "text/plain" }), {}),
      message: `${place}: unknown media type "text/plain" of a signature`,
    },
  ])("is refused: $name", ({ run, message }) => {
    expect(run).toThrow(new Error(message));
  });
});

interface Made {
  readonly pem: string;
  readonly key: KeyObject;
}

function certificate(commonName: string, issuer: Made | undefined, more: Partial<CertificateRequest> = {}): Made {
  const { publicKey, privateKey } = pair();
  const request: CertificateRequest = {
    subject: { commonName, organization: ["example"] },
    publicKey,
    serial: Buffer.concat([Buffer.from([1]), randomBytes(7)]),
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2027-01-01T00:00:00Z"),
    isAuthority: issuer === undefined,
    ...more,
  };
  const block = issuer === undefined ? undefined : decodePem(issuer.pem);
  const signedBy =
    issuer === undefined || block === undefined
      ? { key: privateKey }
      : { key: issuer.key, certificate: parseCertificate(block.der) };
  return { pem: createCertificate(request, signedBy), key: privateKey };
}

const forCode = { extendedKeyUsages: ["codeSigning"] } as const;
const root = certificate("root", undefined);
const middle = certificate("middle", root, { isAuthority: true });
const leaf = certificate("release", root, forCode);
const deepLeaf = certificate("release", middle, forCode);

/** As the reference implementation writes it: the signature with its header, then the chain. */
function pemSignature(
  { key }: Made,
  chain: readonly Made[],
  header = "Signature Algorithm: RSASSA-PKCS1-V1_5\n\n",
): string {
  const body = signText("RSASSA-PKCS1-V1_5", key).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN SIGNATURE-----\n${header}${body}\n-----END SIGNATURE-----\n${chain.map(({ pem }) => pem).join("")}`;
}

const withChain = (made: Made, chain: readonly Made[] = [made], more: Partial<Signature> = {}): Signature =>
  signatureOf(
    {
      algorithm: "RSASSA-PKCS1-V1_5",
      mediaType: "application/x-pem-file",
      value: pemSignature(made, chain),
    },
    more,
  );
/** With the field that names who signed. */
const ofIssuer = (issuer: string): Signature => {
  const signature = withChain(leaf);
  return { ...signature, signature: { ...signature.signature, issuer } };
};
const trusted = { authorities: root.pem };
const at = (time: string): Partial<Signature> => ({ timestamp: { time } });

describe("a signature with certificates", () => {
  it.each([
    { name: "of an authority that is given", run: check(withChain(leaf), trusted) },
    { name: "over another certificate", run: check(withChain(deepLeaf, [deepLeaf, middle]), trusted) },
    { name: "with the authority in the chain", run: check(withChain(deepLeaf, [deepLeaf, middle, root]), trusted) },
    {
      name: "with one of several authorities",
      run: check(withChain(leaf), { authorities: `${middle.pem}${root.pem}` }),
    },
    { name: "of an authority below another one", run: check(withChain(deepLeaf), { authorities: middle.pem }) },
    { name: "with the certificate as key", run: check(withChain(leaf), { publicKey: leaf.pem }) },
    {
      name: "with its subject as issuer, in any order",
      run: check(ofIssuer("CN=release,O=example"), trusted),
    },
    { name: "at a time in its validity", run: check(withChain(leaf, [leaf], at("2026-06-01T00:00:00Z")), trusted) },
    {
      name: "that has expired since, without a time: the beginning of its validity counts",
      run: check(
        withChain(certificate("release", root, { ...forCode, notAfter: new Date("2026-02-01T00:00:00Z") })),
        trusted,
      ),
    },
  ])("is accepted: $name", ({ run }) => {
    expect(run).not.toThrow();
  });

  const stranger = certificate("stranger", undefined);
  const noAuthority = certificate("middle", root, { isAuthority: false });
  const ofNoAuthority = certificate("release", noAuthority, forCode);
  const forServers = certificate("release", root, { extendedKeyUsages: ["serverAuth"] });
  const otherName = certificate("somebody", root, forCode);
  it.each([
    {
      name: "without authorities",
      run: check(withChain(leaf), {}),
      message: `${place}: signed by unknown authority: none is given`,
    },
    {
      name: "of another authority",
      run: check(withChain(leaf), { authorities: stranger.pem }),
      message: `${place}: signed by unknown authority: certificate "O=example,CN=release" of issuer "O=example,CN=root"`,
    },
    {
      name: "with a gap in the chain",
      run: check(withChain(deepLeaf), trusted),
      message: `${place}: signed by unknown authority: certificate "O=example,CN=release" of issuer "O=example,CN=middle"`,
    },
    {
      name: "issued by a certificate that is no authority",
      run: check(withChain(ofNoAuthority, [ofNoAuthority, noAuthority]), trusted),
      message: `${place}: signed by unknown authority: certificate "O=example,CN=release" of issuer "O=example,CN=middle"`,
    },
    {
      name: "for servers",
      run: check(withChain(forServers), trusted),
      message: `${place}: certificate "O=example,CN=release" is not for signing code`,
    },
    {
      name: "of another name than the signature's",
      run: check(withChain(otherName), trusted),
      message: `${place}: its certificate is of "O=example,CN=somebody"; expected the common name "release"`,
    },
    {
      name: "with another issuer than its subject",
      run: check(ofIssuer("CN=release,O=other"), trusted),
      message: `${place}: issuer "CN=release,O=other" is not the subject "O=example,CN=release" of its certificate`,
    },
    {
      name: "that had expired",
      run: check(withChain(leaf, [leaf], at("2027-02-01T00:00:00Z")), trusted),
      message: `${place}: certificate "O=example,CN=release" is valid from 2026-01-01T00:00:00.000Z to 2027-01-01T00:00:00.000Z, the signature is of 2027-02-01T00:00:00.000Z`,
    },
    {
      name: "at a time that is none",
      run: check(withChain(leaf, [leaf], at("yesterday")), trusted),
      message: `${place}: timestamp.time: expected a time as in RFC 3339, found "yesterday"`,
    },
    {
      name: "made with another key than the certificate's",
      run: check(
        {
          ...withChain(leaf),
          signature: { ...withChain(leaf).signature, value: pemSignature({ ...leaf, key: other.privateKey }, [leaf]) },
        },
        trusted,
      ),
      message: `${place}: the signature is not of the given key`,
    },
    {
      name: "without a certificate",
      run: check(withChain(leaf, []), trusted),
      message: `${place}: the signature brings no certificate`,
    },
    {
      name: "without a signature",
      run: check(
        signatureOf({ algorithm: "RSASSA-PSS", mediaType: "application/x-pem-file", value: leaf.pem }),
        trusted,
      ),
      message: `${place}: expected one PEM block SIGNATURE, found 0`,
    },
    {
      name: "with an authority that is no certificate",
      run: check(withChain(leaf), { authorities: "text" }),
      message: `${place}: certificate authority: expected certificates as PEM, found none`,
    },
  ])("is refused: $name", ({ run, message }) => {
    expect(run).toThrow(new Error(message));
  });
});
