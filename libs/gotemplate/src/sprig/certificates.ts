import { createPublicKey, type KeyObject } from "node:crypto";
import {
  type CallContext,
  type FunctionMap,
  type GoInt,
  type GoSlice,
  type Value,
  FunctionError,
  GoObject,
  decodeBase64,
  define,
  sprint,
} from "@landscaper/golang";
import {
  type Certificate,
  createCertificate,
  decodePem,
  ipBytes,
  type Issuer,
  parseCertificate,
  readingWorkMs,
  signatureWorkMs,
  X509Error,
} from "@landscaper/x509";
import { newKey, readPrivateKey, spendMs } from "./private-keys.ts";

/** sprig's pair of a certificate and its private key, both PEM. */
class GoCertificate extends GoObject {
  override readonly typeName = "sprig.certificate";
  readonly #parts: ReadonlyMap<string, string>;

  constructor(cert: string, key: string) {
    super();
    this.#parts = new Map([
      ["Cert", cert],
      ["Key", key],
    ]);
  }

  override field(name: string): Value {
    return this.#parts.get(name);
  }

  override fields(): readonly (readonly [name: string, value: Value])[] {
    return [...this.#parts];
  }

  override isEqual(other: GoObject): boolean {
    return other instanceof GoCertificate && [...this.#parts].every(([name, value]) => other.field(name) === value);
  }

  override toJSON(): unknown {
    return Object.fromEntries(this.#parts);
  }

  part(name: "Cert" | "Key"): string {
    return this.#parts.get(name) ?? "";
  }
}

/** What a certificate of these functions says. */
interface Wanted {
  readonly commonName: string;
  readonly days: GoInt;
  readonly isAuthority: boolean;
  readonly ips?: GoSlice;
  readonly dnsNames?: GoSlice;
}

/** What the functions use that are given no key. */
const newRsaKey = (context: CallContext): string => newKey({ type: "rsa", bits: 2048 }, context);

/** A certificate for a key, signed by the issuer or by itself. */
function certify(wanted: Wanted, key: string, signer: { issuer?: Issuer; context: CallContext }): GoCertificate {
  const { commonName, days, isAuthority } = wanted;
  const privateKey = prefixed("parsing private key", () => readPrivateKey(key));
  const ipAddresses = (wanted.ips ?? []).map(readIp);
  const dnsNames = (wanted.dnsNames ?? []).map(readDnsName);
  const issuer = signer.issuer ?? { key: privateKey };
  spendMs(signatureWorkMs(issuer.key), signer.context);
  const now = signer.context.now().getTime();
  const serial = signer.context.random(16);
  const cert = prefixed("error creating certificate", () =>
    createCertificate(
      {
        subject: { commonName },
        publicKey: createPublicKey(privateKey),
        serial,
        notBefore: new Date(now),
        notAfter: new Date(now + durationMs(days)),
        isAuthority,
        keyUsages: ["digitalSignature", "keyEncipherment", ...(isAuthority ? (["keyCertSign"] as const) : [])],
        extendedKeyUsages: ["serverAuth", "clientAuth"],
        dnsNames,
        ipAddresses,
      },
      issuer,
    ),
  );
  return new GoCertificate(cert, key);
}

/** Days as a Go duration in ms: 64 bits of nanoseconds, which wrap around after 106751 days. */
function durationMs(days: GoInt): number {
  return Number(BigInt.asIntN(64, days.value * 86_400_000_000_000n)) / 1e6;
}

function readIp(value: Value): Buffer {
  if (typeof value !== "string") throw new FunctionError(`error parsing ip: ${sprint([value])} is not a string`);
  const bytes = ipBytes(value);
  if (bytes === undefined) throw new FunctionError(`error parsing ip: ${value}`);
  return bytes;
}

function readDnsName(value: Value): string {
  if (typeof value === "string") return value;
  throw new FunctionError(`error processing alternate dns name: ${sprint([value])} is not a string`);
}

/** Runs a step, with what it does before the message of its error. */
function prefixed<T>(step: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof X509Error || error instanceof FunctionError) {
      throw new FunctionError(`${step}: ${error.message}`);
    }
    throw error;
  }
}

function readCertificate(pem: string): Certificate {
  const block = decodePem(pem);
  if (block === undefined) throw new FunctionError("unable to decode certificate");
  return prefixed("error parsing certificate: decodedCert.Bytes", () => parseCertificate(block.der));
}

/** The pair as the issuer of others. The executor has checked that it is a sprig.certificate, of which this is the only class. */
function issuerOf(authority: GoObject): Issuer {
  const pair = authority as GoCertificate;
  return { certificate: readCertificate(pair.part("Cert")), key: readIssuerKey(pair.part("Key")) };
}

function readIssuerKey(pem: string): KeyObject {
  return prefixed("error parsing private key", () => readPrivateKey(pem));
}

function buildCustomCert(base64Cert: string, base64Key: string, context: CallContext): GoCertificate {
  spendMs(2 * readingWorkMs, context);
  const [cert, key] = [decodeBase64(base64Cert), decodeBase64(base64Key)];
  if (typeof cert === "string") throw new FunctionError("unable to decode base64 certificate");
  if (typeof key === "string") throw new FunctionError("unable to decode base64 private key");
  const [certPem, keyPem] = [Buffer.from(cert).toString("utf8"), Buffer.from(key).toString("utf8")];
  readCertificate(certPem);
  readIssuerKey(keyPem);
  return new GoCertificate(certPem, keyPem);
}

/** Certificates; keys, serial numbers and times come from the execution. */
export const certificateFunctions: FunctionMap = {
  genCA: define(["string", "int"], ([commonName, days], context) =>
    certify({ commonName, days, isAuthority: true }, newRsaKey(context), { context }),
  ),
  genCAWithKey: define(["string", "int", "string"], ([commonName, days, key], context) =>
    certify({ commonName, days, isAuthority: true }, key, { context }),
  ),
  genSelfSignedCert: define(["string", "list", "list", "int"], ([commonName, ips, dnsNames, days], context) =>
    certify({ commonName, ips, dnsNames, days, isAuthority: false }, newRsaKey(context), { context }),
  ),
  genSelfSignedCertWithKey: define(
    ["string", "list", "list", "int", "string"],
    ([commonName, ips, dnsNames, days, key], context) =>
      certify({ commonName, ips, dnsNames, days, isAuthority: false }, key, { context }),
  ),
  genSignedCert: define(
    ["string", "list", "list", "int", "sprig.certificate"],
    ([commonName, ips, dnsNames, days, authority], context) =>
      certify({ commonName, ips, dnsNames, days, isAuthority: false }, newRsaKey(context), {
        issuer: issuerOf(authority),
        context,
      }),
  ),
  genSignedCertWithKey: define(
    ["string", "list", "list", "int", "sprig.certificate", "string"],
    ([commonName, ips, dnsNames, days, authority, key], context) =>
      certify({ commonName, ips, dnsNames, days, isAuthority: false }, key, { issuer: issuerOf(authority), context }),
  ),
  buildCustomCert: define(["string", "string"], ([cert, key], context) => buildCustomCert(cert, key, context)),
};
