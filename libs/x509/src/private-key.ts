import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { expectElement, readSequence } from "./der-reader.ts";
import { integer, objectId, octets, sequence } from "./der-writer.ts";
import { objectIds } from "./object-ids.ts";
import { encodePem, type PemBlock } from "./pem.ts";
import { X509Error } from "./x509-error.ts";

/** PKCS #1 for RSA, SEC 1 for ECDSA, OpenSSL's form for DSA and PKCS #8 for the rest: the forms of Go's tools. */
export function privateKeyPem(key: KeyObject): string {
  const type = key.asymmetricKeyType;
  if (type === "dsa") return encodePem("DSA PRIVATE KEY", dsaDer(key));
  const form = type === "rsa" ? "pkcs1" : type === "ec" ? "sec1" : "pkcs8";
  return key.export({ type: form, format: "pem" }).toString();
}

const derTypes: Readonly<Record<string, "pkcs1" | "sec1" | "pkcs8">> = {
  "RSA PRIVATE KEY": "pkcs1",
  "EC PRIVATE KEY": "sec1",
  "PRIVATE KEY": "pkcs8",
};

/** The private key in a PEM block; undefined when blocks of this type hold none. Throws X509Error when it is malformed. */
export function parsePrivateKey({ type, der }: Pick<PemBlock, "type" | "der">): KeyObject | undefined {
  const isDsa = type === "DSA PRIVATE KEY";
  const derType = isDsa ? "pkcs8" : derTypes[type];
  if (derType === undefined) return undefined;
  try {
    const key = createPrivateKey({ key: isDsa ? dsaToPkcs8(der) : der, format: "der", type: derType });
    checkSize(key);
    return key;
  } catch (error) {
    throw error instanceof X509Error ? error : new X509Error(`malformed ${type}`, { cause: error });
  }
}

const maxBits = 8192;

/** Signatures of longer keys take seconds, of very long ones hours. */
function checkSize(key: KeyObject): void {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (modulusLength > maxBits) throw new X509Error(`a key of ${modulusLength} bits: more than ${maxBits}`);
}

/** Version, p, q, g, y, x. */
function dsaDer(key: KeyObject): Buffer {
  const parts = readSequence(key.export({ type: "pkcs8", format: "der" }));
  const publicParts = readSequence(createPublicKey(key).export({ type: "spki", format: "der" }));
  const parameters = expectElement(readSequence(expectElement(parts, 1, 0x30).raw), 1, 0x30).content;
  const y = expectElement(publicParts, 1, 0x03).content.subarray(1);
  return sequence(integer(Buffer.from([0])), parameters, y, expectElement(parts, 2, 0x04).content);
}

function dsaToPkcs8(der: Buffer): Buffer {
  const [, p, q, g, , x] = readSequence(der);
  if (p === undefined || q === undefined || g === undefined || x === undefined)
    throw new X509Error("a number is missing");
  const algorithm = sequence(objectId(objectIds.dsa), sequence(p.raw, q.raw, g.raw));
  return sequence(integer(Buffer.from([0])), algorithm, octets(x.raw));
}
