import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CertificateAuthority, type Credentials, createCertificateAuthority } from "@landscaper/local-cluster";

/** The files that kube-apiserver and kube-controller-manager are started with, and the credentials that leave the folder. */
export interface ControlPlanePki {
  readonly authority: CertificateAuthority;
  readonly caPem: string;
  readonly admin: Credentials;
  readonly controllerManager: Credentials;
  readonly files: {
    readonly ca: string;
    readonly serverCert: string;
    readonly serverKey: string;
    readonly serviceAccountKey: string;
    readonly serviceAccountPublicKey: string;
  };
}

/** Makes keys and certificates of one control plane in `folder`; nobody else trusts them. `addresses`: of the API server. */
export function createControlPlanePki(folder: string, addresses: readonly string[]): ControlPlanePki {
  const authority = createCertificateAuthority("landscaper-e2e", Date.now);
  const server = authority.issue({
    commonName: "kube-apiserver",
    hosts: ["localhost", "kubernetes", "kubernetes.default.svc", ...addresses],
  });
  const serviceAccount = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const write = (name: string, content: string | Buffer): string => writeSecret(join(folder, name), content);
  return {
    authority,
    caPem: authority.cert,
    admin: authority.issue({ commonName: "admin", organizations: ["system:masters"] }),
    // The roles made for controllers belong to service accounts of their own, which a test cluster does without.
    controllerManager: authority.issue({ commonName: "controller-manager", organizations: ["system:masters"] }),
    files: {
      ca: write("ca.crt", authority.cert),
      serverCert: write("server.crt", server.cert),
      serverKey: write("server.key", server.key),
      serviceAccountKey: write(
        "service-account.key",
        serviceAccount.privateKey.export({ type: "pkcs8", format: "pem" }),
      ),
      serviceAccountPublicKey: write(
        "service-account.pub",
        serviceAccount.publicKey.export({ type: "spki", format: "pem" }),
      ),
    },
  };
}

/** Paths of a certificate and its key. */
export interface CredentialFiles {
  readonly cert: string;
  readonly key: string;
}

export function writeCredentials(folder: string, name: string, { cert, key }: Credentials): CredentialFiles {
  return {
    cert: writeSecret(join(folder, `${name}.crt`), cert),
    key: writeSecret(join(folder, `${name}.key`), key),
  };
}

export function writeSecret(file: string, content: string | Buffer): string {
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}
