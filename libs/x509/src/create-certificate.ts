import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { bits, boolean, explicit, integer, nothing, objectId, octets, sequence, tagged, time } from "./der-writer.ts";
import { encodeExtendedKeyUsage, encodeKeyUsage, type ExtendedKeyUsage, type KeyUsage } from "./key-usage.ts";
import { encodeName, type Name } from "./name.ts";
import { objectIds } from "./object-ids.ts";
import { encodePem } from "./pem.ts";
import { type Certificate, keyBitsOf } from "./read-certificate.ts";
import { X509Error } from "./x509-error.ts";

export interface CertificateRequest {
  readonly subject: Name;
  readonly publicKey: KeyObject;
  /** Big-endian, not negative; RFC 5280 §4.1.2.2 wants at most 20 bytes. */
  readonly serial: Uint8Array;
  /** To the second; years 0 to 9999. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Whether the key may sign certificates. */
  readonly isAuthority: boolean;
  readonly keyUsages?: readonly KeyUsage[];
  readonly extendedKeyUsages?: readonly ExtendedKeyUsage[];
  readonly dnsNames?: readonly string[];
  /** 4 or 16 bytes each, see ipBytes. */
  readonly ipAddresses?: readonly Uint8Array[];
}

/** Who signs: the key, and its certificate unless the new certificate is to sign itself. */
export interface Issuer {
  readonly key: KeyObject;
  readonly certificate?: Certificate;
}

/** A certificate as PEM, with the extensions, their order and the signature algorithms of Go's x509.CreateCertificate. Throws X509Error. */
export function createCertificate(request: CertificateRequest, issuer: Issuer): string {
  const algorithm = signatureAlgorithm(issuer.key);
  const issuerKey = issuer.certificate?.publicKey;
  if (issuerKey !== undefined && !spki(createPublicKey(issuer.key)).equals(spki(issuerKey))) {
    throw new X509Error("x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  if (request.publicKey.asymmetricKeyType === "dsa") {
    throw new X509Error("x509: unsupported public key type: *dsa.PublicKey");
  }
  const subject = encodeName(request.subject);
  const issuerName = issuer.certificate?.rawSubject ?? subject;
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(request.serial),
    algorithm.id,
    issuerName,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    spki(request.publicKey),
    explicit(3, sequence(...extensions(request, subject, issuer.certificate))),
  );
  const der = sequence(body, algorithm.id, bits(signed(body, algorithm, issuer.key)));
  return encodePem("CERTIFICATE", der);
}

/** Numbers of a damaged key can be such that nothing can be signed with it. */
function signed(body: Buffer, { hash }: SignatureAlgorithm, key: KeyObject): Buffer {
  try {
    return sign(hash, body, key);
  } catch (error) {
    throw new X509Error("x509: the private key cannot sign", { cause: error });
  }
}

/**
 * Keys are compared by these bytes: KeyObject.equals leaves an error behind in the crypto library when kinds differ, at which
 * the next call fails (Node 24.21).
 */
function spki(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

interface SignatureAlgorithm {
  readonly id: Buffer;
  readonly hash: string | null;
}

function signatureAlgorithm(key: KeyObject): SignatureAlgorithm {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const algorithm = signatureAlgorithms.get(curve ?? key.asymmetricKeyType ?? "");
  if (algorithm !== undefined) return algorithm;
  throw new X509Error(
    curve === undefined
      ? "x509: certificate private key does not implement crypto.Signer"
      : "x509: unknown elliptic curve",
  );
}

const ecdsa = (id: string, hash: string): SignatureAlgorithm => ({ id: sequence(objectId(id)), hash });
/** By type of key or, for ECDSA, by curve. */
const signatureAlgorithms = new Map<string, SignatureAlgorithm>([
  ["rsa", { id: sequence(objectId(objectIds.sha256WithRsa), nothing()), hash: "sha256" }],
  ["ed25519", { id: sequence(objectId(objectIds.ed25519)), hash: null }],
  ["secp224r1", ecdsa(objectIds.ecdsaWithSha256, "sha256")],
  ["prime256v1", ecdsa(objectIds.ecdsaWithSha256, "sha256")],
  ["secp384r1", ecdsa(objectIds.ecdsaWithSha384, "sha384")],
  ["secp521r1", ecdsa(objectIds.ecdsaWithSha512, "sha512")],
]);

function extensions(request: CertificateRequest, subject: Buffer, issuer: Certificate | undefined): Buffer[] {
  const { keyUsages = [], extendedKeyUsages = [], isAuthority } = request;
  const isOwnIssuer = issuer === undefined || issuer.rawSubject.equals(subject);
  const names = alternativeNames(request);
  return [
    ...(keyUsages.length > 0 ? [extension(objectIds.keyUsage, true, encodeKeyUsage(keyUsages))] : []),
    ...(extendedKeyUsages.length > 0
      ? [extension(objectIds.extendedKeyUsage, false, encodeExtendedKeyUsage(extendedKeyUsages))]
      : []),
    extension(objectIds.basicConstraints, true, sequence(...(isAuthority ? [boolean(true)] : []))),
    ...(isAuthority ? [extension(objectIds.subjectKeyIdentifier, false, octets(keyId(request.publicKey)))] : []),
    ...(!isOwnIssuer && issuer.subjectKeyId !== undefined
      ? [extension(objectIds.authorityKeyIdentifier, false, sequence(tagged(0x80, issuer.subjectKeyId)))]
      : []),
    // RFC 5280 §4.2.1.6: critical when nothing else names the subject.
    ...(names.length > 0
      ? [extension(objectIds.subjectAlternativeName, isEmptyName(subject), sequence(...names))]
      : []),
  ];
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octets(value));
}

function isEmptyName(name: Buffer): boolean {
  return name.length === 2;
}

function alternativeNames({ dnsNames = [], ipAddresses = [] }: CertificateRequest): Buffer[] {
  return [...dnsNames.map((name) => tagged(0x82, ascii(name))), ...ipAddresses.map((bytes) => tagged(0x87, bytes))];
}

function ascii(name: string): Buffer {
  const bytes = Buffer.from(name);
  if (bytes.some((byte) => byte > 0x7f)) throw new X509Error(`x509: "${name}" cannot be encoded as an IA5String`);
  return bytes;
}

/** RFC 7093 §2, method 1, as Go does since 1.25. */
function keyId(key: KeyObject): Buffer {
  return createHash("sha256").update(keyBitsOf(key)).digest().subarray(0, 20);
}
