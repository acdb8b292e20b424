import { describe, expect, it } from "@jest/globals";
import { createFakeClock } from "@landscaper/testkit";
import type { Target } from "@landscaper/api";
import type { ClusterAccess } from "./cluster-access.ts";
import { audiencesOf, createOidcGuard, findReuse, type OidcRules } from "./oidc-guard.ts";

const hub = "https://kubernetes.default.svc";
const known = "the landscaper cluster accepts its tokens, too, and api.example:6443 is not in oidcTrustedServers";

function access(audiences: readonly string[], server = "https://api.example:6443"): ClusterAccess & { type: "oidc" } {
  const account = { namespace: "default", name: "sa", audiences, expirationSeconds: 3600 };
  return { type: "oidc", server, ca: "CA", account };
}

function tokenWith(claims: unknown): string {
  return `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
}

describe("a token that the landscaper cluster accepts, too", () => {
  it.each<readonly [string, readonly string[], string | undefined]>([
    ["one without audience", [], `oidcConfig has no audience: ${known}`],
    ["one with the cluster's own", ["a", hub], `oidcConfig.audience has "${hub}": ${known}`],
    ["none with another audience", ["a", "b"], undefined],
  ])("is %s", (_name, audiences, want) => {
    expect(findReuse(access(audiences), [hub, "k3s"])).toBe(want);
  });

  it.each([
    ["a list", tokenWith({ aud: [hub, "k3s"] }), [hub, "k3s"]],
    ["a text", tokenWith({ aud: hub }), [hub]],
    ["nothing", tokenWith({ sub: "x" }), []],
    ["no JWT", "static-token", []],
    ["no JSON", "a.b.c", []],
  ])("names its audiences as %s", (_name, token, want) => {
    expect(audiencesOf(token)).toEqual(want);
  });
});

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "cluster", namespace: "team-a", uid: "1" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
};

/** Messages of warnings, and how often a token was made, after these Targets were checked. */
async function check(
  rules: OidcRules,
  accesses: readonly ClusterAccess[],
  token = "static-token",
): Promise<{ warnings: string[]; refused: string[]; minted: number }> {
  const result = { warnings: [] as string[], refused: [] as string[], minted: 0 };
  const guard = createOidcGuard({
    ...rules,
    client: {
      request: async () => {
        result.minted++;
        return await Promise.resolve({ status: { token: tokenWith({ aud: [hub] }) } });
      },
    },
    self: { server: "https://hub.example:6443", token },
    clock: createFakeClock(),
    onWarning: (target, message) => void result.warnings.push(`${target.metadata.name}: ${message}`),
  });
  for (const each of accesses) {
    try {
      await guard.check(target, each);
    } catch (error) {
      result.refused.push(error instanceof Error ? error.message : "");
    }
  }
  return result;
}

describe("the servers of oidcConfig", () => {
  const problem = `oidcConfig has no audience: ${known}`;
  const noToken = { warnings: [], refused: [], minted: 0 };

  it("cause one warning for a Target, however often it is used", async () => {
    expect(await check({}, [access([]), access([])])).toEqual({ ...noToken, warnings: [`cluster: ${problem}`] });
  });

  it("are refused where an audience is required", async () => {
    expect(await check({ oidcRequireAudience: true }, [access([])])).toEqual({
      ...noToken,
      refused: [`Target team-a/cluster: ${problem}`],
    });
  });

  it("are told from the landscaper cluster by the audience of a token, which is made once", async () => {
    expect(await check({}, [access([hub]), access(["other"])])).toEqual({
      warnings: [`cluster: oidcConfig.audience has "${hub}": ${known}`],
      refused: [],
      minted: 1,
    });
  });

  it("are also told by the audience of the service's own token", async () => {
    expect((await check({}, [access(["k3s"])], tokenWith({ aud: ["k3s"] }))).warnings).toEqual([
      `cluster: oidcConfig.audience has "k3s": ${known}`,
    ]);
  });

  it.each([
    ["the host", ["api.example"]],
    ["host and port", ["api.example:6443"]],
    ["the domain", ["*.example"]],
  ])("may have such tokens when they are trusted by %s", async (_name, oidcTrustedServers) => {
    expect(await check({ oidcTrustedServers, oidcRequireAudience: true }, [access([])])).toEqual(noToken);
  });

  it("are trusted at no other port", async () => {
    expect((await check({ oidcTrustedServers: ["api.example:443"] }, [access([])])).warnings).toHaveLength(1);
  });

  it("may be the landscaper cluster", async () => {
    expect(await check({}, [access([], "https://hub.example:6443")])).toEqual(noToken);
  });

  it("other ways to a cluster are not concerned", async () => {
    expect(await check({ oidcRequireAudience: true }, [{ type: "kubeconfig", text: "" }])).toEqual(noToken);
  });

  it("are asked about again when no token could be made", async () => {
    let requests = 0;
    const request = async () => {
      requests += 1;
      if (requests === 1) throw new Error("the API server is gone");
      return await Promise.resolve({ status: { token: tokenWith({ aud: [hub] }) } });
    };
    const warnings: string[] = [];
    const self = { server: "https://hub.example:6443", token: "static-token" };
    const onWarning = (_target: Target, message: string): void => void warnings.push(message);
    const guard = createOidcGuard({ client: { request }, self, clock: createFakeClock(), onWarning });
    await expect(guard.check(target, access([hub]))).rejects.toThrow("the API server is gone");
    await guard.check(target, access([hub]));
    expect(warnings).toEqual([`oidcConfig.audience has "${hub}": ${known}`]);
  });
});
