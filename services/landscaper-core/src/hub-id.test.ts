// The id of the landscaper cluster: it is made once, and stands on each DeployItem.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, kubeResources, resources, type DeployItem } from "@landscaper/api";
import {
  createLeapingClock,
  createTestLogger,
  startEmbeddedCluster,
  waitFor,
  type EmbeddedCluster,
} from "@landscaper/testkit";
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
    const clock = createLeapingClock();
    return { log, clock, hubId: createHubId({ client: cluster.client, clock, log, newId: () => newId }) };
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

  it.each([400, 403, 404, 500])(
    "is undefined if the API server answers %i to the Secret, which the log tells once",
    async (status) => {
      const { hubId, log, clock } = processOf("a");
      cluster.server.setFault(({ verb, resource }) =>
        verb === "create" && resource === "secrets" ? { status, message: "no" } : undefined,
      );
      expect([await hubId(signal), await hubId(signal)]).toEqual([undefined, undefined]);
      clock.leap(300_000);
      expect(await hubId(signal)).toBe(undefined);
      const told = log.lines.filter((line) =>
        JSON.stringify(line).includes("marks on targets have no id of the landscaper cluster"),
      );
      expect(told).toHaveLength(1);
      cluster.server.setFault(undefined);
      expect(await hubId(signal)).toBe(undefined);
      clock.leap(300_000);
      expect(await hubId(signal)).toBe("a");
    },
  );

  it("is undefined if the Secret may not be read", async () => {
    await processOf("a").hubId(signal);
    cluster.server.setFault(({ resource }) => (resource === "secrets" ? { status: 403, message: "no" } : undefined));
    expect(await processOf("b").hubId(signal)).toBe(undefined);
  });

  it("is asked for again after a read that fails for now: no item may lose it", async () => {
    const { hubId } = processOf("a");
    cluster.server.setFault(({ verb, resource }) =>
      verb === "get" && resource === "secrets" ? { status: 503, message: "busy" } : undefined,
    );
    await expect(hubId(signal)).rejects.toMatchObject({ status: 503 });
    cluster.server.setFault(undefined);
    expect(await hubId(signal)).toBe("a");
  });

  it("is undefined if the Secret holds an invalid id", async () => {
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
    const found = await namespace.until(resources.deployItem, name, isBack);
    expect(found?.metadata.annotations?.[annotations.hubId]).toBe(await idOf());
  });

  it("without an Execution gets the id after its first job", async () => {
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

  it("that was copied from another landscaper cluster gets the id before its first job", async () => {
    const namespace = await setUp.namespace("copied");
    await namespace.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata: { name: "item", annotations: { [annotations.hubId]: "another" } },
      spec: { type: "test/nobody" },
    });
    const isCorrected = (found: DeployItem | undefined): boolean =>
      found?.metadata.annotations?.[annotations.hubId] !== "another";
    const found = await namespace.until(resources.deployItem, "item", isCorrected);
    expect(found?.metadata.annotations?.[annotations.hubId]).toBe(await idOf());
  });
});
