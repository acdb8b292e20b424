import type { Connection } from "@landscaper/controller-runtime";
import { toYaml } from "@landscaper/goyaml";

/** Where a cluster is, without the credentials of whoever has found it. */
export type ClusterAddress = Pick<Connection, "server" | "ca" | "insecureSkipTlsVerify" | "tlsServerName" | "proxyUrl">;

/** One who may use it, as the `users` of a kubeconfig name them. */
export interface KubeconfigUser {
  readonly name: string;
  readonly user: Readonly<Record<string, unknown>>;
}

const name = "cluster";

function clusterSection({ server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl }: ClusterAddress) {
  return {
    server,
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(insecureSkipTlsVerify === true ? { "insecure-skip-tls-verify": true } : {}),
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
    ...(proxyUrl === undefined ? {} : { "proxy-url": proxyUrl }),
  };
}

/** A kubeconfig with one user, as YAML. */
export function kubeconfigText(address: ClusterAddress, user: KubeconfigUser): string {
  return toYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: clusterSection(address) }],
    users: [user],
    contexts: [{ name, context: { cluster: name, user: user.name } }],
    "current-context": name,
  });
}

/** A kubeconfig with one user, as base64: what the functions of templates give. */
export function writeKubeconfig(address: ClusterAddress, user: KubeconfigUser): string {
  return Buffer.from(kubeconfigText(address, user), "utf8").toString("base64");
}

/** A user that kubectl logs in by its plugin oidc-login, at an OIDC issuer. */
export function oidcUser(issuer: string, client: string): KubeconfigUser {
  return {
    name: "oidc",
    user: {
      exec: {
        apiVersion: "client.authentication.k8s.io/v1beta1",
        command: "kubectl",
        args: [
          "oidc-login",
          "get-token",
          `--oidc-issuer-url=${issuer}`,
          `--oidc-client-id=${client}`,
          // What clusters usually know users by.
          "--oidc-extra-scope=email",
          "--oidc-extra-scope=profile",
        ],
        interactiveMode: "IfAvailable",
      },
    },
  };
}
