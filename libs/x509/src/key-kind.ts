import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { privateKeyPem } from "./private-key.ts";
import { X509Error } from "./x509-error.ts";

export type EllipticCurve = "P-224" | "P-256" | "P-384" | "P-521";

/** A sort of key to make. */
export type KeyKind =
  | { readonly type: "rsa"; readonly bits: number }
  | { readonly type: "dsa" }
  | { readonly type: "ecdsa"; readonly curve: EllipticCurve }
  | { readonly type: "ed25519" };

/** Makes a key of a kind, as PEM text. Callers of template languages replace it to keep results from one run to the next. */
export type CreateKey = (kind: KeyKind) => string;

/** A new private key as Go's tools write it (see privateKeyPem). RSA needs at least 1024 bits. Throws X509Error. */
export function createKey(kind: KeyKind): string {
  return privateKeyPem(generate(kind));
}

function generate(kind: KeyKind): KeyObject {
  switch (kind.type) {
    case "rsa":
      if (kind.bits < 1024) {
        throw new X509Error(
          `crypto/rsa: ${kind.bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
        );
      }
      return generateKeyPairSync("rsa", { modulusLength: kind.bits }).privateKey;
    case "dsa":
      return generateKeyPairSync("dsa", { modulusLength: 2048, divisorLength: 256 }).privateKey;
    case "ecdsa":
      return generateKeyPairSync("ec", { namedCurve: kind.curve }).privateKey;
    case "ed25519":
      return generateKeyPairSync("ed25519").privateKey;
  }
}

/** About how long createKey takes, in ms; for budgets. Finding primes is a matter of luck: it may be five times as long. */
export function keyWorkMs(kind: KeyKind): number {
  switch (kind.type) {
    case "rsa":
      return 60 * (kind.bits / 2048) ** 3;
    case "dsa":
      return 400;
    case "ecdsa":
    case "ed25519":
      return 1;
  }
}

/** About how long reading a key and signing a certificate with it takes, in ms; for budgets. */
export function signatureWorkMs(key: KeyObject): number {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return 1 + (modulusLength / 2048) ** 3;
}

/** About how long reading a key or certificate takes, in ms; for budgets. */
export const readingWorkMs = 0.3;
