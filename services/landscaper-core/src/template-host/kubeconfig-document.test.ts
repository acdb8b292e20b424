import { describe, expect, it } from "@jest/globals";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import { oidcUser, writeKubeconfig } from "./kubeconfig-document.ts";

const decode = (base64: string): string => Buffer.from(base64, "base64").toString("utf8");

describe("kubeconfigs that functions of templates give (core.md §3.7)", () => {
  it("lead to the same cluster, with the new user alone", () => {
    const address = {
      server: "https://cluster.test",
      ca: "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
      insecureSkipTlsVerify: false,
      tlsServerName: "name.test",
      proxyUrl: "http://proxy.test",
    };
    const found = { ...address, token: "of-the-finder" };
    const written = decode(writeKubeconfig(found, { name: "robot", user: { token: "fresh" } }));
    expect(written).not.toContain("of-the-finder");
    expect(connectionFromKubeconfig(written)).toMatchObject({ ...address, token: "fresh" });
  });

  it("have no field that the address lacks", () => {
    const written = fromYaml(decode(writeKubeconfig({ server: "https://cluster.test" }, { name: "a", user: {} })));
    expect(written).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "cluster", cluster: { server: "https://cluster.test" } }],
      users: [{ name: "a", user: {} }],
      contexts: [{ name: "cluster", context: { cluster: "cluster", user: "a" } }],
      "current-context": "cluster",
    });
  });

  it("log in by kubectl's plugin for OIDC", () => {
    expect(oidcUser("https://issuer.test", "client")).toEqual({
      name: "oidc",
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1beta1",
          command: "kubectl",
          args: [
            "oidc-login",
            "get-token",
            "--oidc-issuer-url=https://issuer.test",
            "--oidc-client-id=client",
            "--oidc-extra-scope=email",
            "--oidc-extra-scope=profile",
          ],
          interactiveMode: "IfAvailable",
        },
      },
    });
  });
});
