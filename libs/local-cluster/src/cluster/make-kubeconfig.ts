export interface KubeconfigFields {
  readonly server: string;
  readonly caPem: string;
  readonly user: string;
  readonly token: string;
}

/** A kubeconfig with everything inline. */
export function makeKubeconfig({ server, caPem, user, token }: KubeconfigFields): string {
  const quotedUser = JSON.stringify(user);
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    "- name: local",
    "  cluster:",
    `    server: ${server}`,
    `    certificate-authority-data: ${Buffer.from(caPem).toString("base64")}`,
    "users:",
    `- name: ${quotedUser}`,
    "  user:",
    `    token: ${JSON.stringify(token)}`,
    "contexts:",
    "- name: local",
    "  context:",
    "    cluster: local",
    `    user: ${quotedUser}`,
    "current-context: local",
    "",
  ].join("\n");
}
