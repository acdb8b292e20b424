import type { KeyObject } from "node:crypto";
import {
  type Certificate,
  decodePem,
  parseCertificate,
  parsePrivateKey,
  parsePublicKey,
  X509Error,
} from "@landscaper/x509";
import { failLocally, known, quoting } from "../../evaluate/failure.ts";

/** Forms of private keys that the original reads. */
const privateTypes = new Set(["RSA PRIVATE KEY", "EC PRIVATE KEY"]);
const publicTypes = new Set(["RSA PUBLIC KEY", "ECDSA PUBLIC KEY", "PUBLIC KEY"]);

export function readPrivateKey(pem: string, prefix = ""): KeyObject {
  const block = decodePem(pem);
  if (block === undefined) return failLocally(`${prefix}invalid private key format (expected pem block)`);
  const key = privateTypes.has(block.type) ? parsed(() => parsePrivateKey(block), prefix) : undefined;
  return key ?? failLocally(quoting`${known(prefix)}invalid pem block type "${block.type}"`);
}

/** Whatever the label of the block says, as in the original; but private keys are none. */
export function readPublicKey(pem: string): KeyObject {
  const block = decodePem(pem);
  if (block === undefined) return failLocally("invalid public key format (expected pem block)");
  return parsed(() => parsePublicKey(block), "failed to parse DER encoded public key: ");
}

export function readCertificate(pem: string, prefix = ""): Certificate {
  const block = decodePem(pem);
  if (block === undefined) return failLocally(`${prefix}invalid certificate format (expected pem block)`);
  if (block.type !== "CERTIFICATE") {
    return failLocally(quoting`${known(prefix)}unexpected pem block type for certificate: "${block.type}"`);
  }
  return parsed(() => parseCertificate(block.der), prefix);
}

/** A public key, or that of a certificate; undefined for other texts. */
export function findPublicKey(pem: string): KeyObject | undefined {
  const block = decodePem(pem);
  try {
    if (block?.type === "CERTIFICATE") return parseCertificate(block.der).publicKey;
    return block !== undefined && publicTypes.has(block.type) ? parsePublicKey(block) : undefined;
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}

/** Runs a step that may fail with an X509Error. */
export function parsed<T>(parse: () => T, prefix: string): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    return failLocally(quoting`${known(prefix)}${error.message}`);
  }
}
