import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scenariosFor } from "../conformance/all-scenarios.ts";
import { deployItems, installation, playbackItem } from "../conformance/objects.ts";
import { openPlace } from "../conformance/place.ts";
import { playbackType } from "../conformance/playback.ts";
import type { Abilities } from "../conformance/scenario.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { findForeignImports } from "../src/kits/foreign-imports.ts";
import type { Cluster } from "../src/kits/plain-api.ts";
import { apiVersion, connect, waitUntilRemoved } from "../src/kits/plain-api.ts";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requireDescriptors } from "../src/runs/require-descriptors.ts";

interface Implementation {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const isForeign = process.env["CONFORMANCE_CORE"] === "external";
const foreignPickup = process.env["CONFORMANCE_PICKUP_SECONDS"];
const timeoutMs = Number(process.env["CONFORMANCE_TIMEOUT_SECONDS"] ?? "60") * 1000;
const ownPickupSeconds = 4;

function findAbilities(): Abilities {
  if (!isForeign) return { pickupSeconds: ownPickupSeconds };
  return foreignPickup === undefined ? {} : { pickupSeconds: Number(foreignPickup) };
}
const abilities = findAbilities();

/** Our core alone, with no deployer beside it. */
async function startOwn(cluster: ClusterName): Promise<Implementation> {
  const config = {
    apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
    kind: "LandscaperConfiguration",
    deployItemTimeouts: { pickup: `${ownPickupSeconds}s` },
  };
  const environment: Environment = await startEnvironment({
    cluster,
    services: ["landscaper-core"],
    configs: { "landscaper-core": config },
  });
  // The scenarios are to pass the webhooks of the original, too.
  const allowAgain = await requireDescriptors(environment.client);
  const stop = async (): Promise<void> => {
    await allowAgain();
    await environment.stop();
  };
  return { kubeconfig: environment.hub.kubeconfig, stop };
}

/** Whatever core runs in the user's cluster: nothing is installed there and nothing started. */
function findForeign(): Implementation {
  const file = process.env["KUBECONFIG_E2E"];
  if (file === undefined) throw new Error("CONFORMANCE_CORE=external needs KUBECONFIG_E2E: the cluster of that core");
  return { kubeconfig: readFileSync(file, "utf8"), stop: async () => undefined };
}

const implementations: readonly (ClusterName | "external")[] = isForeign ? ["external"] : clustersUnderTest();

describe.each(implementations)("a Landscaper core on %s", (name) => {
  let implementation: Implementation;
  let cluster: Cluster;
  const namespaces: string[] = [];
  beforeAll(async () => {
    implementation = name === "external" ? findForeign() : await startOwn(name);
    cluster = connect(implementation.kubeconfig);
  });
  afterAll(async () => {
    await cluster.close();
    await implementation.stop();
  });

  it.each(scenariosFor(abilities))("$title", async (scenario) => {
    const place = await openPlace({ cluster, timeoutMs }, scenario.name);
    namespaces.push(place.namespace);
    try {
      await scenario.run(place, abilities);
      expect(place.deployer.violations).toEqual([]);
    } finally {
      await place.close();
    }
  });

  it("is judged by scenarios that leave no namespace behind", async () => {
    expect(await waitUntilRemoved(cluster.namespace("default"), namespaces)).toEqual([]);
  });

  it("is judged by scenarios that leave no namespace behind when one of them and its deployer fail in the middle", async () => {
    const place = await openPlace({ cluster, timeoutMs }, "fails");
    const held = deployItems(playbackItem("item", { outcome: "Hold" }));
    await place.apply(installation({ name: "root", blueprint: { deployExecutions: held } }));
    await place.waitForItem("root", "item");
    // Its deployer fails: the name of the Secret with the exports would be too long.
    const name = "x".repeat(250);
    const config = { apiVersion: "conformance.test/v1", kind: "Playback", exports: {} };
    await place.create({ apiVersion, kind: "DeployItem", metadata: { name }, spec: { type: playbackType, config } });
    const item = await place.get("DeployItem", name);
    await place.putStatus({ ...item, status: { observedGeneration: 0, jobID: "1" } });
    await place.waitFor(["DeployItem", name], (found) => found?.status?.phase === "Progressing");
    await expect(place.close()).rejects.toThrow(`${name}-export`);
    expect(await waitUntilRemoved(cluster.namespace("default"), [place.namespace])).toEqual([]);
  });
});

describe("the conformance scenarios", () => {
  it("know nothing of our code but the Kubernetes client", () => {
    const { files, foreign } = findForeignImports(join(import.meta.dirname, "../conformance"));
    expect(files.length).toBeGreaterThan(5);
    expect(foreign).toEqual([]);
  });
});
