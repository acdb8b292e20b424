import type { KubeObject } from "@landscaper/api";
import type { Item } from "../../src/kits/plain-api.ts";
import { connect } from "../../src/kits/plain-api.ts";
import type { Defect } from "./defects.ts";
import { SampleDeployer } from "./sample-deployer.ts";

const deployItems = {
  group: "landscaper.gardener.cloud",
  version: "v1alpha1",
  kind: "DeployItem",
  plural: "deployitems",
  namespaced: true,
};

export interface SampleDeployers {
  stop(): Promise<void>;
}

/** Deployers in this process, one by type, with a defect or none; one watch serves all. */
export async function runSampleDeployers(
  kubeconfig: string,
  types: ReadonlyMap<string, Defect | undefined>,
): Promise<SampleDeployers> {
  const cluster = connect(kubeconfig);
  const deployers = [...types].map(([type, defect]) => new SampleDeployer({ cluster, type, defect }));
  const stopping = new AbortController();
  const { signal } = stopping;
  let { resourceVersion } = await cluster.client.list<KubeObject>(deployItems);
  async function follow(): Promise<void> {
    // The API server ends each watch after some minutes.
    while (!signal.aborted) {
      for await (const event of cluster.client.watch<KubeObject>(deployItems, { resourceVersion, signal })) {
        if (event.type === "ERROR") throw new Error(`the watch broke: ${event.status.message ?? ""}`);
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        if (event.type === "ADDED" || event.type === "MODIFIED") see(event.object);
      }
    }
  }
  function see(object: KubeObject): void {
    // What is served under deployitems is one.
    const item = object as unknown as Item;
    for (const deployer of deployers) if (deployer.isFor(String(item.spec?.["type"]))) deployer.see(item);
  }
  const following = follow().catch((error: unknown) => error);
  return {
    async stop() {
      stopping.abort(new Error("the test ends"));
      await following;
      await Promise.all(deployers.map(async (deployer) => deployer.stop()));
      await cluster.close();
    },
  };
}
