import { kubeconfigText, type ClusterAddress, type KubeconfigUser } from "@landscaper/deployer";

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
