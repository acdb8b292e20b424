import { constants, createPrivateKey, sign, type KeyObject, type X509Certificate } from "node:crypto";
import { decodePemBlocks } from "@landscaper/x509";
import type { Signature } from "../descriptor-schemas.ts";
import { ocmError } from "../ocm-error.ts";
import { commonNameOf, oneLine, parseCertificates } from "./certificate-chain.ts";
import { formatPemSignature } from "./pem-signature.ts";
import { hashNamed, hashOf } from "./verify-signature.ts";

export const signatureAlgorithms = ["RSASSA-PKCS1-V1_5", "RSASSA-PSS"] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export interface SignatureOptions {
  readonly name: string;
  /** What is signed (see `normalise`), and how it was made. */
  readonly text: string;
  readonly normalisationAlgorithm: string;
  /** SHA-256 or SHA-512. */
  readonly hashAlgorithm: string;
  readonly algorithm: SignatureAlgorithm;
  /** PEM: PKCS#8 or PKCS#1, RSA, without a passphrase. */
  readonly privateKey: string;
  /** PEM, the signer's first: the signature brings them, and is verified by their authority. */
  readonly certificates?: string | undefined;
  /** Whether the certificate's subject is written as issuer. Default: yes; the reference implementation refuses it in schema v3alpha1. */
  readonly hasIssuer?: boolean | undefined;
  /** Begins messages. */
  readonly where: string;
}

/** A signature over the hash of the text (docs/reference/components.md#component-archives-and-transfer). Throws LandscaperError, never with a part of the key. */
export function createSignature(options: SignatureOptions): Signature {
  const { name, text, normalisationAlgorithm, hashAlgorithm, algorithm } = options;
  const where = `${options.where}: signature "${name}"`;
  const key = readPrivateKey(options.privateKey, where);
  const hash = hashNamed(hashAlgorithm, where);
  const digest = { hashAlgorithm, normalisationAlgorithm, value: hashOf(text, hashAlgorithm, where) };
  const value = sign(hash, Buffer.from(text, "utf8"), { key, ...paddings[algorithm] });
  if (options.certificates === undefined) {
    const mediaType = mediaTypes[algorithm];
    return { name, digest, signature: { algorithm, mediaType, value: value.toString("hex") } };
  }
  const chain = parseCertificates(options.certificates, `${where}: certificate`);
  const signer = checkSigner(chain[0], { name, key, where });
  const pem = formatPemSignature({ algorithm, value, certificates: chain.map(({ raw }) => raw) });
  const issuer = options.hasIssuer === false ? {} : { issuer: oneLine(signer.subject) };
  return { name, digest, signature: { algorithm, mediaType: "application/x-pem-file", ...issuer, value: pem } };
}

const mediaTypes: Readonly<Record<SignatureAlgorithm, string>> = {
  "RSASSA-PKCS1-V1_5": "application/vnd.ocm.signature.rsa",
  "RSASSA-PSS": "application/vnd.ocm.signature.rsa.pss",
};
const paddings = {
  "RSASSA-PKCS1-V1_5": { padding: constants.RSA_PKCS1_PADDING },
  "RSASSA-PSS": { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
} as const;

function readPrivateKey(pem: string, where: string): KeyObject {
  const key = parsePrivateKey(pem);
  if (key === undefined) {
    const encrypted = [...decodePemBlocks(pem)].some(isEncrypted);
    const found = encrypted ? "one with a passphrase" : "something else";
    throw ocmError(`${where}: private key: expected PEM with PRIVATE KEY or RSA PRIVATE KEY, found ${found}`);
  }
  if (key.asymmetricKeyType === "rsa") return key;
  throw ocmError(`${where}: private key: expected the type rsa, found ${key.asymmetricKeyType ?? "an unknown type"}`);
}

/** The message of node:crypto is not passed on. */
function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function isEncrypted({
  type,
  headers,
}: {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}): boolean {
  return type === "ENCRYPTED PRIVATE KEY" || (headers["Proc-Type"] ?? "").includes("ENCRYPTED");
}

interface Signer {
  readonly name: string;
  readonly key: KeyObject;
  readonly where: string;
}

/** What `verifySignature` asks of the first certificate. */
function checkSigner(certificate: X509Certificate | undefined, { name, key, where }: Signer): X509Certificate {
  if (certificate === undefined) throw ocmError(`${where}: certificate: expected certificates as PEM, found none`);
  const subject = oneLine(certificate.subject);
  if (!certificate.checkPrivateKey(key)) {
    throw ocmError(`${where}: certificate: the one of "${subject}" is not of the private key`);
  }
  if (commonNameOf(certificate) !== name) {
    throw ocmError(`${where}: certificate: expected the common name "${name}", found the subject "${subject}"`);
  }
  return certificate;
}
