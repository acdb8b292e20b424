import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { outcome, type Outcome } from "./outcome.ts";
import { textOf, type Check, type Validator } from "./validator.ts";

/** Validators of keys and certificates in PEM. Their statements name no part of a key. */
export const keyValidators: readonly [string, Validator][] = [
  ["publickey", (check) => readable(check, "public key", (pem) => readPublicKey(pem))],
  ["privatekey", (check) => readable(check, "private key", (pem) => readPrivateKey(pem))],
  ["certificate", (check) => readable(check, "certificate", (pem) => readCertificate(pem))],
  ["ca", certificateAuthority],
];

function readable(check: Check, noun: string, read: (pem: string) => unknown): Outcome {
  const problem = problemOf(textOf(check), noun, read);
  return outcome(problem === undefined, { valid: `is ${noun}`, invalid: `is no ${noun}: ${problem ?? ""}` });
}

/** Why a text cannot be read; undefined when it can. */
function problemOf(pem: string, noun: string, read: (pem: string) => unknown): string | undefined {
  if (!/^-----BEGIN [^-\n]+-----$/m.test(pem)) return `invalid ${noun} format (expected pem block)`;
  try {
    return read(pem) === undefined ? "unexpected type of pem block" : undefined;
  } catch {
    return `malformed ${noun}`;
  }
}

function hasLabel(pem: string, ...labels: readonly string[]): boolean {
  const label = /^-----BEGIN ([^-\n]+)-----$/m.exec(pem)?.[1] ?? "";
  return labels.includes(label);
}

function readPublicKey(pem: string): unknown {
  return hasLabel(pem, "PUBLIC KEY", "RSA PUBLIC KEY") ? createPublicKey(pem) : undefined;
}

function readPrivateKey(pem: string): unknown {
  return hasLabel(pem, "RSA PRIVATE KEY", "EC PRIVATE KEY") ? createPrivateKey(pem) : undefined;
}

function readCertificate(pem: string): X509Certificate | undefined {
  return hasLabel(pem, "CERTIFICATE") ? new X509Certificate(pem) : undefined;
}

function certificateAuthority(check: Check): Outcome {
  const isCertificate = readable(check, "certificate", readCertificate);
  if (!isCertificate.isValid) return isCertificate;
  const isAuthority = readCertificate(textOf(check))?.ca === true;
  return outcome(isAuthority, { valid: "is ca", invalid: "is no ca" });
}
