import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  exportSecretName,
  kubeResources,
  planSecretName,
  resources,
  type DeployItem,
} from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { isBlocked, sweepSecrets } from "./sweep-secrets.ts";

const namespace = "default";
let cluster: EmbeddedCluster;
let events: string[] = [];
let removed = 0;
let count = 0;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
});
beforeEach(() => {
  events = [];
  removed = 0;
});
afterAll(() => cluster.stop());

const marks = (mark: string | undefined) => (mark === undefined ? {} : { [annotations.environments]: mark });

/** Creates an item with this mark and a Secret with the name of its exports or plan, and sweeps. Resolves to whether the Secret still exists. */
async function sweep(
  itemMark: string | undefined,
  secretMark: string | undefined,
  nameOf: (item: string) => string,
): Promise<boolean> {
  const name = `item-${++count}`;
  const spec = { type: "t" };
  const item: DeployItem = {
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace, name, annotations: marks(itemMark) },
    spec,
  };
  const { uid = "" } = (await cluster.client.create(resources.deployItem, item)).metadata;
  const key = { namespace, name: nameOf(name) };
  const ownerReferences = [{ apiVersion, kind: "DeployItem", name, uid }];
  const metadata = { ...key, annotations: marks(secretMark), ownerReferences };
  await cluster.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata });
  const recorder = {
    event: (about: { metadata: { name?: string } }, event: { type: string; reason: string; message: string }) =>
      void events.push(`${about.metadata.name === name} ${event.type} ${event.reason} ${event.message}`),
  };
  const options = { client: cluster.client, recorder, onRemoved: () => void removed++ };
  await sweepSecrets(options, item, AbortSignal.timeout(60_000));
  return (await cluster.client.find(kubeResources.secret, key)) !== undefined;
}

describe("sweepSecrets", () => {
  it.each([
    ["exports", exportSecretName],
    ["plan", planSecretName],
  ])("deletes a Secret with the name of the %s and the mark of another Environment", async (_what, nameOf) => {
    expect(await sweep("own", "other", nameOf)).toBe(false);
    expect(removed).toBe(1);
    expect(events).toEqual([
      `true Warning ForeignSecretRemoved removed Secret ${nameOf(`item-${count}`)}: its annotation ${annotations.environments} is "other", expected "own"`,
    ]);
  });

  it("deletes a marked Secret of an item without a mark", async () => {
    expect(await sweep(undefined, "other", exportSecretName)).toBe(false);
  });

  it.each([
    ["has the mark of the item", "own", "own"],
    ["has no mark, because no Environment has written it", "own", undefined],
  ])("keeps a Secret that %s", async (_what, itemMark, secretMark) => {
    expect(await sweep(itemMark, secretMark, exportSecretName)).toBe(true);
    expect([removed, events]).toEqual([0, []]);
  });

  it("keeps a marked Secret with another name", async () => {
    expect(await sweep("own", "other", (item) => `${item}-values`)).toBe(true);
  });
});

describe("isBlocked", () => {
  const time = "2026-01-01T00:00:00Z";
  const failed = (reason: string) => ({
    operation: "x",
    reason,
    message: "m",
    lastTransitionTime: time,
    lastUpdateTime: time,
  });
  const planned = (reason: string) => ({
    type: "Planned",
    status: "Unknown" as const,
    reason,
    message: "m",
    lastTransitionTime: time,
    lastUpdateTime: time,
  });

  it.each([
    ["the exports cannot be written", { lastError: failed("ExportSecretForeign") }, true],
    ["the plan cannot be written", { conditions: [planned("PlanSecretForeign")] }, true],
    [
      "the job fails for another reason",
      { lastError: failed("InvalidInput"), conditions: [planned("Planned")] },
      false,
    ],
    ["nothing fails", {}, false],
  ])("when %s", (_name, status, want) => {
    const item: DeployItem = {
      apiVersion,
      kind: "DeployItem",
      metadata: { name: "item" },
      spec: { type: "t" },
      status: { observedGeneration: 0, ...status },
    };
    expect(isBlocked(item)).toBe(want);
  });
});
