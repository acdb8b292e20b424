import { constants, createHash, createPublicKey, verify, type Hash, type KeyObject } from "node:crypto";
import { decodePem } from "@landscaper/x509";
import type { Signature } from "../descriptor-schemas.ts";
import { ocmError } from "../ocm-error.ts";
import { commonNameOf, isSameName, oneLine, verifyChain } from "./certificate-chain.ts";
import { parsePemSignature } from "./pem-signature.ts";

/** What a signature is trusted by: a public key, an authority of certificates, or both. PEM. */
export interface TrustedKeys {
  /** PKCS#1, SPKI or a certificate. */
  readonly publicKey?: string | undefined;
  readonly authorities?: string | undefined;
}

export interface SignedText {
  readonly signature: Signature;
  /** What was signed (see `normalise`). */
  readonly text: string;
  readonly keys: TrustedKeys;
  /** Begins messages; names the component. */
  readonly where: string;
}

const hashNames: Readonly<Record<string, string>> = {
  "sha-256": "sha256",
  sha256: "sha256",
  "sha-512": "sha512",
  sha512: "sha512",
};

/** A hash as descriptors name it. Throws LandscaperError for another one. */
export function createHashNamed(name: string, where: string): Hash {
  return createHash(hashNamed(name, where));
}

export function hashNamed(name: string, where: string): string {
  const found = hashNames[name.toLowerCase()];
  if (found === undefined) throw ocmError(`${where}: unknown hash "${name}"; expected SHA-256 or SHA-512`);
  return found;
}

/** Hash of a text or of bytes, in hex. Throws as `createHashNamed`. */
export function hashOf(content: string | Uint8Array, algorithm: string, where: string): string {
  return createHashNamed(algorithm, where).update(content).digest("hex");
}

/**
 * Throws LandscaperError unless the hash of the text is the one that was signed, and the signature is one of the trusted keys (docs/reference/components.md#signatures). The message
 * says which of digest, key and chain does not hold.
 */
export function verifySignature({ signature, text, keys, where }: SignedText): void {
  const place = `${where}: signature "${signature.name}"`;
  const { hashAlgorithm, value: signed } = signature.digest;
  const found = hashOf(text, hashAlgorithm, place);
  if (found !== signed.toLowerCase()) {
    throw ocmError(`${place}: digest mismatch: ${signed} was signed, the component version has ${found}`);
  }
  const { key, value, algorithm } = signerOf(signature, keys, place);
  const hash = hashNamed(hashAlgorithm, place);
  if (!verify(hash, Buffer.from(text, "utf8"), { key, ...paddingOf(algorithm, place) }, value)) {
    throw ocmError(`${place}: the signature is not of the given key`);
  }
}

interface Signer {
  readonly key: KeyObject;
  readonly value: Buffer;
  readonly algorithm: string;
}

function signerOf({ name, signature, timestamp }: Signature, keys: TrustedKeys, place: string): Signer {
  const { mediaType, algorithm, value, issuer } = signature;
  switch (mediaType) {
    case "application/vnd.ocm.signature.rsa":
    case "application/vnd.ocm.signature.rsa.pss": {
      if (keys.publicKey === undefined) {
        throw ocmError(`${place}: it brings no certificate; give the public key of its signer`);
      }
      return { key: readPublicKey(keys.publicKey, place), value: fromHex(value, place), algorithm };
    }
    case "application/x-pem-file": {
      const pem = parsePemSignature(value, place);
      const signed = { value: pem.value, algorithm: pem.algorithm ?? algorithm };
      if (keys.publicKey !== undefined) return { ...signed, key: readPublicKey(keys.publicKey, place) };
      if (keys.authorities === undefined) throw ocmError(`${place}: signed by unknown authority: none is given`);
      const { certificates } = pem;
      const signedAt = timestamp?.time === undefined ? undefined : readTime(timestamp.time, place);
      const certificate = verifyChain({ certificates, authorities: keys.authorities, signedAt, where: place });
      // The reference implementation demands it unless another issuer is configured, which Landscaper has no field for.
      if (commonNameOf(certificate) !== name) {
        throw ocmError(
          `${place}: its certificate is of "${oneLine(certificate.subject)}"; expected the common name "${name}"`,
        );
      }
      if (issuer !== undefined && !isSameName(issuer, certificate.subject)) {
        throw ocmError(
          `${place}: issuer "${issuer}" is not the subject "${oneLine(certificate.subject)}" of its certificate`,
        );
      }
      return { ...signed, key: certificate.publicKey };
    }
    case "application/vnd.ocm.signature.sigstore":
      throw ocmError(`${place}: signatures of sigstore cannot be verified; sign with RSASSA-PKCS1-V1_5 or RSASSA-PSS`);
    default:
      throw ocmError(`${place}: unknown media type "${mediaType}" of a signature`);
  }
}

function readTime(text: string, place: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw ocmError(`${place}: timestamp.time: expected a time as in RFC 3339, found ${JSON.stringify(text)}`);
}

function paddingOf(algorithm: string, place: string): { readonly padding: number; readonly saltLength?: number } {
  switch (algorithm) {
    case "RSASSA-PKCS1-V1_5":
      return { padding: constants.RSA_PKCS1_PADDING };
    case "RSASSA-PSS":
      return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    default:
      throw ocmError(`${place}: unknown algorithm "${algorithm}"; expected RSASSA-PKCS1-V1_5 or RSASSA-PSS`);
  }
}

/** Throws LandscaperError, without anything of the text, unless it is a public key that signatures can be verified with. */
export function readPublicKey(pem: string, place: string): KeyObject {
  let key: KeyObject;
  try {
    // Node takes the public part of a private key as well, which nobody should hand out.
    if (decodePem(pem)?.type.endsWith("PRIVATE KEY") !== false) throw new Error("not a public key");
    key = createPublicKey(pem);
  } catch {
    throw ocmError(`${place}: the public key cannot be read; expected PEM: PUBLIC KEY, RSA PUBLIC KEY or CERTIFICATE`);
  }
  if (key.asymmetricKeyType !== "rsa") {
    throw ocmError(`${place}: the public key is of type ${key.asymmetricKeyType ?? "unknown"}; expected rsa`);
  }
  return key;
}

function fromHex(text: string, place: string): Buffer {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw ocmError(`${place}: expected hex digits as value of the signature`);
  return Buffer.from(text, "hex");
}
