import { type KeyObject, X509Certificate } from "node:crypto";
import { type Element, expectElement, readAll, readObjectId, readSequence } from "./der-reader.ts";
import { ipText } from "./ip-bytes.ts";
import { decodeExtendedKeyUsage, decodeKeyUsage, type ExtendedKeyUsage, type KeyUsage } from "./key-usage.ts";
import { decodeName, type Name } from "./name.ts";
import { objectIds } from "./object-ids.ts";
import { X509Error } from "./x509-error.ts";

/** What a certificate says. */
export interface Certificate {
  readonly subject: Required<Name>;
  /** DER of the subject. */
  readonly rawSubject: Buffer;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly subjectKeyId: Buffer | undefined;
}

/** Reads the DER of a certificate (RFC 5280 §4.1); its signature is not checked. Throws X509Error. */
export function parseCertificate(der: Buffer): Certificate {
  try {
    const { publicKey } = new X509Certificate(der);
    return readCertificate(der, publicKey);
  } catch (error) {
    throw new X509Error("x509: malformed certificate", { cause: error });
  }
}

function readCertificate(der: Buffer, publicKey: KeyObject): Certificate {
  const all = readSequence(expectElement(readSequence(der), 0, 0x30).raw);
  // The version may be left out; serial, signature, issuer, validity, subject and key follow.
  const fields = all.slice(all[0]?.tag === 0xa0 ? 1 : 0);
  const [notBefore, notAfter] = readSequence(expectElement(fields, 3, 0x30).raw);
  const rawSubject = expectElement(fields, 4, 0x30).raw;
  const extensions = readExtensions(fields.find(({ tag }) => tag === 0xa3));
  const names = extensions.get(objectIds.subjectAlternativeName);
  const alternatives = names === undefined ? [] : readSequence(names);
  const usage = extensions.get(objectIds.keyUsage);
  const extendedUsage = extensions.get(objectIds.extendedKeyUsage);
  const constraints = extensions.get(objectIds.basicConstraints);
  const keyId = extensions.get(objectIds.subjectKeyIdentifier);
  return {
    subject: decodeName(rawSubject),
    rawSubject,
    publicKey,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    isAuthority: constraints !== undefined && readSequence(constraints)[0]?.tag === 0x01,
    keyUsages: usage === undefined ? [] : decodeKeyUsage(usage),
    extendedKeyUsages: extendedUsage === undefined ? [] : decodeExtendedKeyUsage(extendedUsage),
    dnsNames: alternatives.filter(({ tag }) => tag === 0x82).map(({ content }) => content.toString("latin1")),
    ipAddresses: alternatives.filter(({ tag }) => tag === 0x87).map(({ content }) => ipText(content)),
    subjectKeyId: keyId === undefined ? undefined : expectElement(readAll(keyId), 0, 0x04).content,
  };
}

/** Values of the extensions by their identifiers. */
function readExtensions(element: Element | undefined): Map<string, Buffer> {
  if (element === undefined) return new Map();
  return new Map(
    readSequence(element.content).map(({ raw }) => {
      const parts = readSequence(raw);
      const id = readObjectId(expectElement(parts, 0, 0x06).content);
      return [id, expectElement(parts, parts.length - 1, 0x04).content];
    }),
  );
}

function readTime(element: Element | undefined): Date {
  const digits = element?.content.toString("latin1") ?? "";
  const century = Number(digits.slice(0, 2)) < 50 ? "20" : "19";
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(element?.tag === 0x17 ? century + digits : digits);
  if (match === null) throw new X509Error("x509: malformed time");
  const [, year, month, day, hour, minute, second] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The bits of a public key without the algorithm: what key identifiers are made from. */
export function keyBitsOf(key: KeyObject): Buffer {
  return expectElement(readSequence(key.export({ type: "spki", format: "der" })), 1, 0x03).content.subarray(1);
}
