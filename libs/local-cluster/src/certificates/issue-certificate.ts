import type { KeyObject } from "node:crypto";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  der,
  generalizedTime,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utf8String,
} from "./der.ts";

export interface Certificate {
  readonly commonName: string;
  readonly pem: string;
  readonly key: KeyObject;
  readonly keyPem: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** Issuer; absent for a certificate authority that signs itself. */
  readonly issuer?: Certificate;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly Uint8Array[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const ecdsaWithSha256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const tenYearsMs = 10 * 365 * 24 * 3600 * 1000;
/** Clients whose clock is behind shall trust us too. */
const backdatedMs = 24 * 3600 * 1000;

/** Makes a P-256 key and its certificate (RFC 5280): an authority, or a server certificate of `issuer`. */
export function issueCertificate(request: CertificateRequest): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { commonName, issuer, now } = request;
  const publicDer = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer?.commonName ?? commonName),
    sequence(generalizedTime(now - backdatedMs), generalizedTime(now + tenYearsMs)),
    nameOf(commonName),
    publicDer,
    der(0xa3, sequence(...extensionsOf(request, publicDer))),
  );
  const signature = sign("sha256", body, issuer?.key ?? privateKey);
  const certificate = sequence(body, ecdsaWithSha256, bitString(signature));
  return {
    commonName,
    key: privateKey,
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    pem: toPem(certificate),
  };
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier("2.5.4.3"), utf8String(commonName))));
}

function extensionsOf(request: CertificateRequest, publicDer: Buffer): Buffer[] {
  const keyId = createHash("sha1").update(publicDer).digest();
  const subjectKey = extension("2.5.29.14", octetString(keyId));
  if (request.issuer === undefined) {
    return [
      extension("2.5.29.19", sequence(boolean(true)), true),
      // digitalSignature, keyCertSign, cRLSign
      extension("2.5.29.15", bitString(Buffer.from([0b1000_0110]), 1), true),
      subjectKey,
    ];
  }
  const names = [
    ...(request.dnsNames ?? []).map((name) => der(0x82, Buffer.from(name, "ascii"))),
    ...(request.ipAddresses ?? []).map((address) => der(0x87, address)),
  ];
  return [
    extension("2.5.29.15", bitString(Buffer.from([0b1000_0000]), 7), true),
    extension("2.5.29.37", sequence(objectIdentifier("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", sequence(...names)),
    subjectKey,
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
