import { describe, expect, it } from "@jest/globals";
import type { EnvironmentSpec } from "@landscaper/api";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { environment } from "../../test/deployer-management.ts";
import { observedDeployer } from "../../test/observed-deployers.ts";
import { buildDeployerTarget, readDeployerToken } from "./deployer-target.ts";

const day = 86_400;
const issued = 1_780_000_000;

function tokenOf(uid: string): string {
  const claims = { iat: issued, exp: issued + day, "kubernetes.io": { serviceaccount: { name: "a", uid } } };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

function targetFor(landscaperClusterConfig: EnvironmentSpec["landscaperClusterConfig"], token = tokenOf("u")) {
  const { installation, names } = observedDeployer({ registration: "mock" });
  return buildDeployerTarget({
    environment: environment("env", { landscaperClusterConfig }),
    installation,
    names,
    token,
  });
}

function connectionOf(config: EnvironmentSpec["landscaperClusterConfig"]) {
  const kubeconfig: unknown = Reflect.get(Object(targetFor(config).spec.config), "kubeconfig");
  const { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl } = connectionFromKubeconfig(String(kubeconfig));
  return { server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl };
}

describe("the Target by which a deployer reaches the landscaper cluster", () => {
  const caData = Buffer.from("-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----\n").toString("base64");

  it("says where that is, as the Environment does", () => {
    expect(connectionOf({ host: "https://api.example/", apiPath: "/sub/", caData, serverName: "name" })).toMatchObject({
      server: "https://api.example/sub",
      ca: Buffer.from(caData, "base64").toString(),
      tlsServerName: "name",
    });
  });

  it("has the proxy of the Environment", () => {
    const proxyURL = "http://proxy.example:3128";
    expect(connectionOf({ host: "https://api.example", apiPath: "", caData, proxyURL }).proxyUrl).toBe(proxyURL);
    expect(connectionOf({ host: "https://api.example", apiPath: "", caData }).proxyUrl).toBeUndefined();
  });

  it("drops the authority of a server that is not checked, which clients refuse", () => {
    expect(connectionOf({ host: "https://api.example", apiPath: "", insecure: true, caData })).toMatchObject({
      server: "https://api.example",
      insecureSkipTlsVerify: true,
      ca: undefined,
    });
  });

  it("has the token, which can be read back", () => {
    const target = targetFor({ host: "https://api.example", apiPath: "", caData: "" });
    expect(readDeployerToken(target)).toBe(tokenOf("u"));
    expect(target.metadata.ownerReferences).toMatchObject([
      { kind: "Installation", name: "mock-env", controller: true },
    ]);
  });

  it.each([
    ["none", undefined],
    ["one whose kubeconfig is an object", { kubeconfig: {} }],
    ["one that is not YAML", { kubeconfig: "a: [" }],
    ["one without users", { kubeconfig: "kind: Config" }],
  ])("yields no token when it is %s", (_, config) => {
    const target = targetFor({ host: "h", apiPath: "" });
    expect(readDeployerToken({ ...target, spec: { type: "t", config } })).toBeUndefined();
  });
});
