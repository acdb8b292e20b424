import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  exportSecretName,
  judgeItemSecret,
  kubeResources,
  planSecretName,
  resources,
  type DeployItem,
  type Secret,
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

interface SweptSecret {
  readonly mark: string | undefined;
  readonly nameOf: (item: string) => string;
  readonly fields?: Partial<Secret>;
}

const content = { config: Buffer.from("forged").toString("base64") };

/** Creates an item with this mark and a Secret with the name of its exports or plan, and sweeps. Resolves to what became of the Secret. */
async function sweep(
  itemMark: string | undefined,
  { mark, nameOf, fields = {} }: SweptSecret,
): Promise<"kept" | "taken over" | "deleted"> {
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
  const metadata = { ...key, annotations: marks(mark), ownerReferences };
  const labels = { "example.org/foreign": "true" };
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    type: "Opaque",
    metadata: { ...metadata, labels },
    data: content,
  };
  await cluster.client.create(kubeResources.secret, { ...secret, ...fields });
  const recorder = {
    event: (about: { metadata: { name?: string } }, event: { type: string; reason: string; message: string }) =>
      void events.push(`${about.metadata.name === name} ${event.type} ${event.reason} ${event.message}`),
  };
  const options = { client: cluster.client, recorder, onRemoved: () => void removed++ };
  await sweepSecrets(options, item, AbortSignal.timeout(60_000));
  const found = await cluster.client.find(kubeResources.secret, key);
  if (found === undefined) return "deleted";
  if (found.data?.["config"] === content.config) return "kept";
  expect(judgeItemSecret(found, await cluster.client.get(resources.deployItem, { namespace, name }))).toBe("own");
  expect([found.metadata.labels, found.data]).toEqual([undefined, undefined]);
  return "taken over";
}

describe("sweepSecrets", () => {
  it.each([
    ["exports", exportSecretName],
    ["plan", planSecretName],
  ])("takes over a Secret with the name of the %s and the mark of another Environment", async (_what, nameOf) => {
    expect(await sweep("own", { mark: "other", nameOf })).toBe("taken over");
    expect(removed).toBe(1);
    expect(events).toEqual([
      `true Warning ForeignSecretRemoved emptied Secret ${nameOf(`item-${count}`)}: its annotation ${annotations.environments} is "other", expected "own"`,
    ]);
  });

  it("takes over a marked Secret of an item without a mark", async () => {
    expect(await sweep(undefined, { mark: "other", nameOf: exportSecretName })).toBe("taken over");
  });

  it.each<Partial<Secret>>([{ type: "example.org/other" }, { immutable: true }])(
    "deletes a Secret that cannot be changed: %j",
    async (fields) => {
      expect(await sweep("own", { mark: "other", nameOf: exportSecretName, fields })).toBe("deleted");
      expect(removed).toBe(1);
      expect(events).toEqual([expect.stringContaining("ForeignSecretRemoved deleted Secret ")]);
    },
  );

  it.each([
    ["has the mark of the item", "own", "own"],
    ["has no mark, because no Environment has written it", "own", undefined],
  ])("keeps a Secret that %s", async (_what, itemMark, secretMark) => {
    expect(await sweep(itemMark, { mark: secretMark, nameOf: exportSecretName })).toBe("kept");
    expect([removed, events]).toEqual([0, []]);
  });

  it("keeps a marked Secret with another name", async () => {
    expect(await sweep("own", { mark: "other", nameOf: (item) => `${item}-values` })).toBe("kept");
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
