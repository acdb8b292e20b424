// The id of the landscaper cluster: it is made once, and stands on each DeployItem.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, kubeResources, resources, type DeployItem } from "@landscaper/api";
import { createTestLogger, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { deployItems, installation } from "../test/objects.ts";
import { setUpCore } from "../test/set-up.ts";
import { createHubId, hubIdKey, type HubId } from "./hub-id.ts";

const { signal } = new AbortController();

describe("the id of a landscaper cluster", () => {
  let cluster: EmbeddedCluster;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster();
  });
  afterAll(() => cluster.stop());
  afterEach(async () => {
    cluster.server.setFault(undefined);
    await cluster.client.delete(kubeResources.secret, hubIdKey);
  });
  const processOf = (newId: string) => {
    const log = createTestLogger();
    return { log, hubId: createHubId({ client: cluster.client, log, newId: () => newId }) };
  };

  it("is made once, by the first process that asks", async () => {
    const [first, second] = [processOf("a"), processOf("b")];
    expect([await first.hubId(signal), await first.hubId(signal), await second.hubId(signal)]).toEqual(["a", "a", "a"]);
    const secret = await cluster.client.get(kubeResources.secret, hubIdKey);
    expect([secret.immutable, secret.data]).toEqual([true, { id: Buffer.from("a").toString("base64") }]);
  });

  it("is one id, also for processes that ask at once", async () => {
    const ids: readonly HubId[] = ["a", "b", "c"].map((id) => processOf(id).hubId);
    const found = await Promise.all(ids.map(async (hubId) => await hubId(signal)));
    expect(new Set(found).size).toBe(1);
  });

  it("is asked for once in a process", async () => {
    const { hubId } = processOf("a");
    await hubId(signal);
    let requests = 0;
    cluster.server.setFault(() => {
      requests++;
      return undefined;
    });
    expect(await hubId(signal)).toBe("a");
    expect(requests).toBe(0);
  });

  it.each([403, 404])("is none where the API server answers %i, which the log tells once", async (status) => {
    const { hubId, log } = processOf("a");
    cluster.server.setFault(({ resource }) => (resource === "secrets" ? { status, message: "no" } : undefined));
    expect([await hubId(signal), await hubId(signal)]).toEqual([undefined, undefined]);
    const told = log.lines.filter((line) => JSON.stringify(line).includes("this landscaper cluster has no id"));
    expect(told).toHaveLength(1);
  });

  it("is asked for again after a failure that may pass", async () => {
    const { hubId } = processOf("a");
    cluster.server.setFault(({ resource }) => (resource === "secrets" ? { status: 503, message: "busy" } : undefined));
    await expect(hubId(signal)).rejects.toMatchObject({ status: 503 });
    cluster.server.setFault(undefined);
    expect(await hubId(signal)).toBe("a");
  });

  it("is none where the Secret has no name for it", async () => {
    const data = { id: Buffer.from('x"\n').toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { ...hubIdKey }, data };
    await cluster.client.create(kubeResources.secret, secret);
    expect(await processOf("a").hubId(signal)).toBe(undefined);
  });
});

describe("a DeployItem", () => {
  const setUp = setUpCore();
  const idOf = async (): Promise<string | undefined> => {
    const secret = await setUp.cluster.client.get(kubeResources.secret, hubIdKey);
    return Buffer.from(secret.data?.["id"] ?? "", "base64").toString();
  };

  it("of an Execution has the id from the beginning, and gets it back with the next job", async () => {
    const namespace = await setUp.namespace("of-execution");
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.metadata.annotations?.[annotations.hubId]).toBe(await idOf());
    const name = item?.metadata.name ?? "";
    await namespace.annotate(resources.deployItem, name, { [annotations.hubId]: "forged" });
    await namespace.annotate(resources.installation, "root", { [annotations.operation]: "reconcile" });
    const isBack = (found: DeployItem | undefined): boolean =>
      found?.metadata.annotations?.[annotations.hubId] !== "forged";
    await namespace.until(resources.deployItem, name, isBack);
    expect((await namespace.get(resources.deployItem, name)).metadata.annotations?.[annotations.hubId]).toBe(
      await idOf(),
    );
  });

  it("that somebody has made by hand gets the id after its first job", async () => {
    const namespace = await setUp.namespace("by-hand");
    const item = await namespace.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata: { name: "item" },
      spec: { type: "test/nobody" },
    });
    const status = { observedGeneration: 1, phase: "Succeeded", jobID: "1", jobIDFinished: "1" };
    await namespace.client.updateStatus(resources.deployItem, { ...item, status });
    const found = await waitFor(async () => {
      const { metadata } = await namespace.get(resources.deployItem, "item");
      return metadata.annotations?.[annotations.hubId];
    });
    expect(found).toBe(await idOf());
  });
});
