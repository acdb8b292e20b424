import { createPublicKey } from "node:crypto";
import {
  createWireguardKey,
  type EllipticCurve,
  type KeyKind,
  publicKeyPem,
  readingWorkMs,
  sshPublicKey,
  wireguardPublicKey,
} from "@landscaper/x509";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import type { Value } from "../../value/value.ts";
import { defineFunctions } from "../define-functions.ts";
import { newKey, randomBytes } from "../host-access.ts";
import { findPublicKey, parsed, readPrivateKey } from "./pem-arguments.ts";

/** Private and public keys. */
export const keyFunctions = defineFunctions({
  x509genkey: (args, environment) => {
    if (args.length > 1) return failLocally("invalid argument count for x509genkey([<bitsize>|<ecdsaCurve>])");
    const kind = args.length === 0 ? ({ type: "rsa", bits: 2048 } as const) : keyKind(args.at(0));
    return parsed(() => newKey(kind, environment), "failed to generate private key: ");
  },
  x509publickey: (args, { document }) => {
    if (args.length < 1 || args.length > 2) return failLocally("invalid argument count for x509publickey");
    const [pem, format] = [args.at(0), args.length > 1 ? args.at(1) : "pem"];
    if (typeof pem !== "string") return failLocally("argument for x509publickey must be a private key in pem format");
    if (typeof format !== "string") return failLocally("format argument for x509publickey must be a string");
    document.budget.spend(readingWorkMs, "x509publickey");
    return publicKeyText(pem, format);
  },
  wggenkey: (args, environment) => {
    if (args.length > 1) return failLocally("a maximum of one argument expected for wggenkey");
    const type = args.length > 0 ? args.at(0) : "private";
    if (typeof type !== "string") {
      return failLocally("argument for wggenkey must be a string (private or preshared)");
    }
    const random = randomBytes(32, environment);
    switch (type) {
      case "private":
        return createWireguardKey(random).toString("base64");
      case "preshared":
        return random.toString("base64");
      default:
        return failLocally(quoting`invalid key type "${type}", use private or preshared`);
    }
  },
  wgpublickey: (args, { document }) => {
    if (args.length !== 1) return failLocally('one argument required for "wgpublickey"');
    const key = args.at(0);
    // The original's spelling.
    if (typeof key !== "string")
      return failLocally("argument for wgpublickey must be a provate wireguard key (string)");
    document.budget.spend(readingWorkMs, "wgpublickey");
    return wireguardPublicKey(decodeWireguardKey(key)).toString("base64");
  },
});

const curves: Readonly<Record<string, EllipticCurve>> = { P224: "P-224", P256: "P-256", P384: "P-384", P521: "P-521" };

function keyKind(value: Value): KeyKind {
  if (typeof value === "bigint") return rsa(Number(value));
  if (typeof value !== "string") return failLocally("argument for x509genkey must be a string or integer");
  if (/^[+-]?[0-9]+$/.test(value)) return rsa(Number(value));
  const curve = Object.hasOwn(curves, value) ? curves[value] : undefined;
  return curve === undefined ? failLocally(quoting`Unrecognized elliptic curve: "${value}"`) : { type: "ecdsa", curve };
}

function rsa(bits: number): KeyKind {
  return { type: "rsa", bits };
}

const invalidKey = "argument for x509publickey must be a private/public key or certificate in pem format: ";

function publicKeyText(pem: string, format: string): string {
  const key = findPublicKey(pem) ?? createPublicKey(readPrivateKey(pem, invalidKey));
  switch (format) {
    case "pem":
      return publicKeyPem(key, "pkcs1");
    case "pkix":
      return publicKeyPem(key, "spki");
    case "ssh":
      return parsed(() => sshPublicKey(key), "");
    default:
      return failLocally(quoting`invalid format for x509publickey: ${format}`);
  }
}

/** The key is a secret: messages do not quote it. */
function decodeWireguardKey(text: string): Buffer {
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  if (!isBase64) return failLocally("error parsing key: failed to parse base64-encoded key");
  const key = Buffer.from(text, "base64");
  return key.length === 32 ? key : failLocally(`error parsing key: incorrect key size: ${key.length}`);
}
