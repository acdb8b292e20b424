import { X509Certificate } from "node:crypto";
import { identifyError } from "@landscaper/api";
import { decodePemBlocks } from "@landscaper/x509";
import { ocmError } from "../ocm-error.ts";

const codeSigning = "1.3.6.1.5.5.7.3.3";
const anyUsage = "2.5.29.37.0";
/** More certificates than any chain has. */
const maxChain = 16;

export interface ChainOptions {
  /** DER, the signer's first. */
  readonly certificates: readonly Buffer[];
  /** PEM with one certificate or more. */
  readonly authorities: string;
  /** When the signature was made; undefined: the beginning of the signer's certificate, as the reference implementation takes it. */
  readonly signedAt: Date | undefined;
  /** Begins messages. */
  readonly where: string;
}

function parseCertificate(der: Buffer, where: string): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (error) {
    throw ocmError(`${where}: expected a certificate, found other data (${identifyError(error)})`);
  }
}

/** All certificates of a PEM text. Throws LandscaperError when there is none. */
export function parseCertificates(pem: string, where: string): readonly X509Certificate[] {
  const blocks = [...decodePemBlocks(pem)].filter(({ type }) => type === "CERTIFICATE");
  if (blocks.length === 0) throw ocmError(`${where}: expected certificates as PEM, found none`);
  return blocks.map(({ der }) => parseCertificate(der, where));
}

/**
 * The signer's certificate, when its chain ends at one of the authorities and may sign code (docs/reference/components.md#signatures). Throws LandscaperError that says what does
 * not hold.
 */
export function verifyChain({ certificates, authorities, signedAt, where }: ChainOptions): X509Certificate {
  const roots = parseCertificates(authorities, `${where}: certificate authority`);
  const [signer, ...others] = certificates.map((der) => parseCertificate(der, where));
  if (signer === undefined) throw ocmError(`${where}: the signature brings no certificate`);
  const at = signedAt ?? signer.validFromDate;
  const path = findPath(signer, { others, roots });
  if (path === undefined) {
    throw ocmError(
      `${where}: signed by unknown authority: certificate "${oneLine(signer.subject)}" of issuer "${oneLine(signer.issuer)}"`,
    );
  }
  for (const certificate of path) checkCertificate(certificate, { at, where, isRoot: roots.includes(certificate) });
  return signer;
}

interface Known {
  readonly others: readonly X509Certificate[];
  readonly roots: readonly X509Certificate[];
}

/** From the signer to an authority; undefined for none. */
function findPath(signer: X509Certificate, { others, roots }: Known): readonly X509Certificate[] | undefined {
  const path = [signer];
  while (path.length <= maxChain) {
    const last = path[path.length - 1] ?? signer;
    const same = roots.find((root) => root.fingerprint256 === last.fingerprint256);
    if (same !== undefined) return [...path.slice(0, -1), same];
    const root = roots.find((candidate) => hasIssued(candidate, last));
    if (root !== undefined) return [...path, root];
    const next = others.find((candidate) => !path.includes(candidate) && hasIssued(candidate, last));
    if (next === undefined) return undefined;
    path.push(next);
  }
  return undefined;
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

interface Expected {
  readonly at: Date;
  readonly where: string;
  readonly isRoot: boolean;
}

function checkCertificate(certificate: X509Certificate, { at, where, isRoot }: Expected): void {
  const subject = oneLine(certificate.subject);
  if (at < certificate.validFromDate || at > certificate.validToDate) {
    const span = `${certificate.validFromDate.toISOString()} to ${certificate.validToDate.toISOString()}`;
    throw ocmError(`${where}: certificate "${subject}" is valid from ${span}, the signature is of ${at.toISOString()}`);
  }
  const usages = extendedUsagesOf(certificate);
  // Authorities above need not name any.
  if (isRoot || (usages === undefined && certificate.ca)) return;
  if (usages?.some((usage) => usage === codeSigning || usage === anyUsage) === true) return;
  throw ocmError(`${where}: certificate "${subject}" is not for signing code`);
}

/** Node's types do not say that there may be none. */
function extendedUsagesOf({ keyUsage }: X509Certificate): readonly string[] | undefined {
  return keyUsage;
}

/** "CN=sig,O=example", as descriptors write it. */
export function oneLine(name: string): string {
  return name.split("\n").join(",");
}

/** The common name of a subject; undefined for none. */
export function commonNameOf({ subject }: X509Certificate): string | undefined {
  return subject
    .split("\n")
    .find((line) => line.startsWith("CN="))
    ?.slice("CN=".length);
}

/** Whether two names have the same attributes, in any order. */
export function isSameName(one: string, other: string): boolean {
  const attributes = (name: string): string =>
    name
      .split(/[,\n]/)
      .map((part) => part.trim())
      .toSorted()
      .join("\n");
  return attributes(one) === attributes(other);
}
