import { stringify } from "yaml";
import type { Credentials } from "@landscaper/local-cluster";

export interface KubeconfigOptions {
  readonly name: string;
  readonly server: string;
  /** PEM; absent when the server's certificate is one of the system's authorities. */
  readonly ca?: string | undefined;
  readonly user: Credentials | { readonly token: string };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A kubeconfig with inline data only, as Targets demand it. */
export function createKubeconfig({ name, server, ca, user }: KubeconfigOptions): string {
  const credentials =
    "token" in user
      ? { token: user.token }
      : { "client-certificate-data": base64(user.cert), "client-key-data": base64(user.key) };
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [
      { name, cluster: { server, ...(ca === undefined ? {} : { "certificate-authority-data": base64(ca) }) } },
    ],
    users: [{ name, user: credentials }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}
