import type { Connection } from "@landscaper/controller-runtime";
import { fromYaml, toYaml } from "@landscaper/goyaml";

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

/** The token of the first user of a kubeconfig; undefined when there is none. */
export function readKubeconfigToken(kubeconfig: string): string | undefined {
  try {
    const users: unknown = Reflect.get(Object(fromYaml(kubeconfig)), "users");
    const [entry]: unknown[] = Array.isArray(users) ? users : [];
    const token: unknown = Reflect.get(Object(Reflect.get(Object(entry), "user")), "token");
    return typeof token === "string" ? token : undefined;
  } catch {
    return undefined;
  }
}
