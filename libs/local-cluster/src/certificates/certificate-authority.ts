import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import {
  type Certificate,
  type CertificateRequest,
  createCertificate,
  createKey,
  decodePem,
  ipBytes,
  type Name,
  parseCertificate,
} from "@landscaper/x509";

/** A certificate with its key, both PEM. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

interface CredentialsRequest {
  readonly commonName: string;
  /** Kubernetes reads the groups of a client certificate from these. */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses. */
  readonly hosts?: readonly string[];
}

export interface CertificateAuthority {
  readonly cert: string;
  issue(request: CredentialsRequest): Credentials;
}

const hourMs = 3_600_000;
/** Clients whose clock is behind shall trust us too. */
const backdatedMs = hourMs;
const validMs = 30 * 24 * hourMs;

/** A throw-away authority (P-256, 30 days from `now`, in ms) for one cluster or proxy. */
export function createCertificateAuthority(commonName: string, now: () => number): CertificateAuthority {
  const issuerKey = createPrivateKey(createKey({ type: "ecdsa", curve: "P-256" }));
  const request = { ...common({ commonName }, now()), publicKey: createPublicKey(issuerKey) };
  const cert = createCertificate(
    { ...request, isAuthority: true, keyUsages: ["keyCertSign", "cRLSign"] },
    { key: issuerKey },
  );
  const issuer = { key: issuerKey, certificate: read(cert) };
  return {
    cert,
    issue({ commonName, organizations = [], hosts = [] }) {
      const key = createKey({ type: "ecdsa", curve: "P-256" });
      const leaf: CertificateRequest = {
        ...common({ commonName, organization: organizations }, now()),
        publicKey: createPublicKey(key),
        isAuthority: false,
        keyUsages: ["digitalSignature"],
        extendedKeyUsages: ["serverAuth", "clientAuth"],
        dnsNames: hosts.filter((host) => ipBytes(host) === undefined),
        ipAddresses: hosts.flatMap((host) => ipBytes(host) ?? []),
      };
      return { cert: createCertificate(leaf, issuer), key };
    },
  };
}

function common(subject: Name, now: number): Pick<CertificateRequest, "subject" | "serial" | "notBefore" | "notAfter"> {
  return {
    subject,
    serial: randomBytes(15),
    notBefore: new Date(now - backdatedMs),
    notAfter: new Date(now + validMs),
  };
}

function read(pem: string): Certificate {
  const block = decodePem(pem);
  if (block === undefined) throw new Error("the certificate of the authority is no PEM");
  return parseCertificate(block.der);
}
