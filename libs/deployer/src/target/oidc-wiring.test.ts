// Every way to the cluster of a Target asks the guard before a token is made or a connection is opened.
import { describe, expect, it } from "@jest/globals";
import { LandscaperError, resources, type DeployItem, type Target } from "@landscaper/api";
import { createFakeClock } from "@landscaper/testkit";
import { createClusterCache } from "./cluster-cache.ts";
import { createTargetAccess } from "./target-access.ts";
import { connectToTarget, type ConnectOptions } from "./target-connection.ts";

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "cluster", namespace: "team-a", uid: "1" },
  spec: {
    type: "landscaper.gardener.cloud/kubernetes-cluster",
    config: { oidcConfig: { server: "https://api.example", caData: "Q0E=", serviceAccount: { name: "robot" } } },
  },
};
const item: DeployItem = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "team-a" },
  spec: { type: "test/item" },
};
const { signal } = new AbortController();
const unexpected = async (): Promise<never> => await Promise.reject(new Error("asked in spite of the guard"));

/** What the guard is asked for; it refuses everything. */
function refusing(): { readonly asked: string[]; readonly options: ConnectOptions } {
  const asked: string[] = [];
  const check = async (found: Target, access: { readonly type: string }): Promise<void> => {
    asked.push(`${found.metadata.name} ${access.type}`);
    await Promise.reject(new LandscaperError({ message: "refused", reason: "InvalidTarget", retry: "never" }));
  };
  const self = { server: "https://hub.example" };
  return { asked, options: { client: { request: unexpected }, self, clock: createFakeClock(), oidc: { check } } };
}

describe("a Target with oidcConfig that the guard refuses", () => {
  it("is not opened for the target of an item, nor for one that its configuration names", async () => {
    const { asked, options } = refusing();
    const createClient = (): never => {
      throw new Error("connected in spite of the guard");
    };
    const reader = { find: async (type: unknown) => (type === resources.target ? target : await unexpected()) };
    const clusters = createClusterCache({ ...options, createClient });
    const access = createTargetAccess({ item, target, reader: reader as never, clusters, signal });
    await expect(access.cluster()).rejects.toThrow("refused");
    await expect(access.clusterOf("cluster")).rejects.toThrow("refused");
    expect(asked).toEqual(["cluster oidc"]);
  });

  it("is not connected to for a template", async () => {
    const { asked, options } = refusing();
    const client = { request: unexpected, find: unexpected };
    await expect(connectToTarget(target, { ...options, client, signal })).rejects.toThrow("refused");
    expect(asked).toEqual(["cluster oidc"]);
  });
});
