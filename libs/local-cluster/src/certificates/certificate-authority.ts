import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { bits, boolean, explicit, integer, objectId, octets, sequence, set, tagged, time, utf8 } from "./der.ts";

/** A certificate with its key, both PEM. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

interface CertificateRequest {
  readonly commonName: string;
  /** Kubernetes reads the groups of a client certificate from these. */
  readonly organizations?: readonly string[];
  /** DNS names, IPv4 addresses and "::1". */
  readonly hosts?: readonly string[];
}

export interface CertificateAuthority {
  readonly cert: string;
  issue(request: CertificateRequest): Credentials;
}

const ids = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
};
const hourMs = 3_600_000;
/** Clients whose clock is behind shall trust us too. */
const backdatedMs = hourMs;
const validMs = 30 * 24 * hourMs;
const signatureAlgorithm = sequence(objectId(ids.ecdsaWithSha256));

function nameOf({ commonName, organizations = [] }: CertificateRequest): Buffer {
  const attribute = (id: string, value: string): Buffer => set(sequence(objectId(id), utf8(value)));
  return sequence(
    ...organizations.map((organization) => attribute(ids.organization, organization)),
    attribute(ids.commonName, commonName),
  );
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octets(value));
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return tagged(0x87, Buffer.from(host.split(".").map(Number)));
  if (host === "::1") return tagged(0x87, Buffer.alloc(15), Buffer.from([1]));
  if (isIP(host) !== 0)
    throw new Error(`no certificate can be issued for the address ${host}: of IPv6 only ::1 is known`);
  return tagged(0x82, Buffer.from(host));
}

const authorityExtensions: readonly Buffer[] = [
  extension(ids.basicConstraints, true, sequence(boolean(true))),
  // keyCertSign and cRLSign.
  extension(ids.keyUsage, true, bits(Buffer.from([0x06]), 1)),
];

function leafExtensions(hosts: readonly string[]): readonly Buffer[] {
  const usages = sequence(objectId(ids.serverAuth), objectId(ids.clientAuth));
  const names = extension(ids.subjectAlternativeName, false, sequence(...hosts.map(alternativeName)));
  return [
    extension(ids.keyUsage, true, bits(Buffer.from([0x80]), 7)),
    extension(ids.extendedKeyUsage, false, usages),
    ...(hosts.length > 0 ? [names] : []),
  ];
}

interface Signing {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly now: number;
}

function signCertificate({ issuer, subject, publicKey, signingKey, extensions, now }: Signing): string {
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(15)),
    signatureAlgorithm,
    issuer,
    sequence(time(new Date(now - backdatedMs)), time(new Date(now + validMs))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  const der = sequence(body, signatureAlgorithm, bits(sign("sha256", body, signingKey)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function generateKey(): { publicKey: KeyObject; pem: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { publicKey, privateKey: createPrivateKey(pem), pem };
}

/** A throw-away authority (P-256, 30 days from `now`, in ms) for one cluster or proxy. */
export function createCertificateAuthority(commonName: string, now: () => number): CertificateAuthority {
  const own = generateKey();
  const issuer = nameOf({ commonName });
  const base = { issuer, signingKey: own.privateKey };
  return {
    cert: signCertificate({
      ...base,
      subject: issuer,
      publicKey: own.publicKey,
      extensions: authorityExtensions,
      now: now(),
    }),
    issue(request) {
      const { publicKey, pem } = generateKey();
      const extensions = leafExtensions(request.hosts ?? []);
      return {
        cert: signCertificate({ ...base, subject: nameOf(request), publicKey, extensions, now: now() }),
        key: pem,
      };
    },
  };
}
