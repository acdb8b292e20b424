import { createPublicKey, type KeyObject } from "node:crypto";
import { GoTime, parseTime } from "@landscaper/golang";
import {
  createCertificate,
  ipBytes,
  type Issuer,
  publicKeyPem,
  readingWorkMs,
  signatureWorkMs,
} from "@landscaper/x509";
import type { Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import { listOf, mapOf } from "../../value/build-value.ts";
import { type MapValue, typeName, type Value } from "../../value/value.ts";
import { CertificateFields } from "./certificate-fields.ts";
import { parseUsages, usageNames } from "./certificate-usages.ts";
import { defineFunctions } from "../define-functions.ts";
import { currentTime, randomBytes } from "../host-access.ts";
import { parsed, readCertificate, readPrivateKey, readPublicKey } from "./pem-arguments.ts";

const layout = "Jan 2 15:04:05 2006";
const hourNanos = 3_600_000_000_000n;
const yearHours = 8760n;

/** Certificates. */
export const certificateFunctions = defineFunctions({
  x509cert: (args, environment) => {
    if (args.length !== 1) return failLocally("invalid argument count for x509cert(<map>)");
    const specification = args.at(0);
    if (typeof specification !== "object" || specification?.kind !== "map") {
      return failLocally(`argument for x509cert must be a map (found ${typeName(specification)})`);
    }
    return certify(specification, environment);
  },
  x509parsecert: (args, environment) => {
    if (args.length !== 1) return failLocally("invalid argument count for x509parsecert");
    const pem = args.at(0);
    environment.document.budget.spend(readingWorkMs, "x509parsecert");
    const problem = "argument for x509parsecert must be a certificate in pem format";
    return typeof pem === "string" ? describe(pem, `${problem}: `, environment) : failLocally(problem);
  },
});

function certify(specification: MapValue, environment: Environment): string {
  const fields = new CertificateFields(specification);
  const usages = parseUsages(fields.texts("usage"));
  const isAuthority = fields.flag("isCA") || usages.keyUsages.includes("keyCertSign");
  const subject = {
    commonName: fields.text("commonName"),
    organization: fields.texts("organization"),
    country: fields.texts("country"),
  };
  const hosts = fields.texts("hosts");
  const validity = lifetime(fields, environment);
  const { publicKey, issuer } = keysOf(fields);
  environment.document.budget.spend(signatureWorkMs(issuer.key), "x509cert");
  const request = {
    subject,
    publicKey,
    serial: randomBytes(16, environment),
    ...validity,
    isAuthority,
    keyUsages: isAuthority ? [...new Set([...usages.keyUsages, "keyCertSign" as const])] : usages.keyUsages,
    extendedKeyUsages: usages.extendedKeyUsages,
    dnsNames: hosts.filter((host) => ipBytes(host) === undefined),
    ipAddresses: hosts.flatMap((host) => ipBytes(host) ?? []),
  };
  return parsed(() => createCertificate(request, issuer), "Failed to create certificate: ");
}

function lifetime(fields: CertificateFields, environment: Environment): { notBefore: Date; notAfter: Date } {
  const hours = fields.integer("validity", yearHours);
  const from = fields.text("validFrom");
  const start = from === "" ? GoTime.fromDate(currentTime(environment)) : parseTime(layout, from);
  if (typeof start === "string") return failLocally(quoting`invalid validFrom fields: ${start}`);
  // A Go duration: 64 bits of nanoseconds.
  const end = start.nanos + BigInt.asIntN(64, hours * hourNanos);
  return { notBefore: toDate(start.nanos), notAfter: toDate(end) };
}

/** To the second, downwards. */
function toDate(nanos: bigint): Date {
  return new Date(Number(new GoTime(nanos).unixSeconds) * 1000);
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly issuer: Issuer;
}

function keysOf(fields: CertificateFields): Keys {
  const [publicPem, privatePem] = [fields.text("publicKey"), fields.text("privateKey")];
  if (publicPem === "" && privatePem === "") {
    return failLocally("one of 'publicKey' or 'privateKey' must be given");
  }
  const privateKey = privatePem === "" ? undefined : readPrivateKey(privatePem);
  const publicKey = publicPem === "" ? undefined : readPublicKey(publicPem);
  const issuer = issuerOf(fields, privateKey);
  return { publicKey: publicKey ?? createPublicKey(privateKey ?? issuer.key), issuer };
}

function issuerOf(fields: CertificateFields, privateKey: KeyObject | undefined): Issuer {
  const certificatePem = fields.text("caCert");
  if (certificatePem === "") {
    return { key: privateKey ?? failLocally("private key for self-signed certificate required") };
  }
  const certificate = readCertificate(certificatePem, "invalid ca certificate: ");
  const keyPem = fields.text("caPrivateKey");
  if (keyPem === "") return failLocally("private key for ca required");
  return { certificate, key: readPrivateKey(keyPem) };
}

/** 292 years: differences of times in Go are cut to what 64 bits of nanoseconds hold. */
const longestMs = 9_223_372_036_854;

function describe(pem: string, problem: string, environment: Environment): Value {
  const certificate = readCertificate(pem, problem);
  const { subject, dnsNames, ipAddresses, notBefore, notAfter } = certificate;
  const left = notAfter.getTime() - currentTime(environment).getTime();
  const hours = Math.trunc(Math.max(-longestMs, Math.min(left, longestMs)) / 3_600_000);
  const lists: [string, readonly string[]][] = [
    ["country", subject.country],
    ["organization", subject.organization],
    ["dnsNames", dnsNames],
    ["ipAddresses", ipAddresses],
    ["hosts", [...ipAddresses, ...dnsNames]],
  ];
  return mapOf([
    ...(subject.commonName === "" ? [] : [["commonName", subject.commonName] as const]),
    ...lists.filter(([, values]) => values.length > 0).map(([name, values]) => [name, listOf(values)] as const),
    ["isCA", certificate.isAuthority],
    ["usage", listOf(usageNames(certificate))],
    ["validity", BigInt(hours)],
    ["validFrom", GoTime.fromDate(notBefore).format(layout)],
    ["validUntil", GoTime.fromDate(notAfter).format(layout)],
    ["publicKey", publicKeyPem(certificate.publicKey, "pkcs1")],
  ]);
}
