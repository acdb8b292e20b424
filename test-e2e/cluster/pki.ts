import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "@landscaper/local-cluster/testing";
import { createCertificateAuthority } from "@landscaper/local-cluster/testing";

/** The files that kube-apiserver and kube-controller-manager are started with, and the credentials that leave the folder. */
export interface ControlPlanePki {
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

/** Makes keys and certificates of one control plane in `folder`; nobody else trusts them. */
export function createControlPlanePki(folder: string): ControlPlanePki {
  const authority = createCertificateAuthority("landscaper-e2e", Date.now);
  const server = authority.issue({
    commonName: "kube-apiserver",
    hosts: ["localhost", "kubernetes", "kubernetes.default.svc", "127.0.0.1", "10.0.0.1"],
  });
  const serviceAccount = generateKeyPairSync("rsa", { modulusLength: 2048 });
  function write(name: string, content: string | Buffer): string {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }
  return {
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
