import { createPublicKey, type KeyObject } from "node:crypto";
import { expectElement, readSequence } from "./der-reader.ts";
import { encodePem, type PemBlock } from "./pem.ts";
import { keyBitsOf } from "./read-certificate.ts";
import { X509Error } from "./x509-error.ts";

/** "pkcs1" is for RSA keys only; others are SPKI in both forms. ECDSA keys are labelled ECDSA PUBLIC KEY, as spiff does. */
export function publicKeyPem(key: KeyObject, form: "pkcs1" | "spki"): string {
  const isRsa = key.asymmetricKeyType === "rsa";
  if (isRsa && form === "pkcs1") return key.export({ type: "pkcs1", format: "pem" }).toString();
  const label = key.asymmetricKeyType === "ec" ? "ECDSA PUBLIC KEY" : "PUBLIC KEY";
  return encodePem(label, key.export({ type: "spki", format: "der" }));
}

/** The public key in a PEM block, whatever its label: SPKI or PKCS #1. Throws X509Error. */
export function parsePublicKey({ der }: Pick<PemBlock, "type" | "der">): KeyObject {
  try {
    // PKCS #1 has two numbers (more of them are a private key), SPKI an algorithm and a bit string.
    const parts = readSequence(der);
    if (parts.length !== 2) throw new X509Error("expected two parts");
    const isPkcs1 = parts[0]?.tag === 0x02;
    const key = createPublicKey({ key: der, format: "der", type: isPkcs1 ? "pkcs1" : "spki" });
    // Node 24.21 cannot write the PKCS #1 of a key that it has read from that.
    return isPkcs1 ? parsePublicKey({ type: "PUBLIC KEY", der: key.export({ type: "spki", format: "der" }) }) : key;
  } catch (error) {
    throw new X509Error("malformed public key", { cause: error });
  }
}

/** A line of authorized_keys (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4). Throws X509Error for keys that SSH does not know. */
export function sshPublicKey(key: KeyObject): string {
  const [name, ...fields] = sshFields(key);
  const blob = Buffer.concat([Buffer.from(name), ...fields].map(lengthPrefixed));
  return `${name} ${blob.toString("base64")}\n`;
}

function sshFields(key: KeyObject): [string, ...Buffer[]] {
  if (key.asymmetricKeyType === "ed25519") return ["ssh-ed25519", keyBitsOf(key)];
  if (key.asymmetricKeyType === "rsa") {
    const numbers = readSequence(key.export({ type: "pkcs1", format: "der" }));
    return ["ssh-rsa", expectElement(numbers, 1, 0x02).content, expectElement(numbers, 0, 0x02).content];
  }
  const curve = sshCurves.get(key.asymmetricKeyDetails?.namedCurve ?? "");
  if (curve === undefined) throw new X509Error("ssh: only P-256, P-384 and P-521 EC keys are supported");
  return [`ecdsa-sha2-${curve}`, Buffer.from(curve), keyBitsOf(key)];
}

const sshCurves = new Map([
  ["prime256v1", "nistp256"],
  ["secp384r1", "nistp384"],
  ["secp521r1", "nistp521"],
]);

function lengthPrefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
