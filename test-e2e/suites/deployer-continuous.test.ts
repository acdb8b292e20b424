// What is repeated between jobs (deployers.md §1.1, B3, B4, B29): schedule, windows, suspension, refresh; drift and its correction.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { ItemScope } from "../src/items/item-scope.ts";
import { itemConfig, referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const oftenDo = { continuousReconcile: { every: "1s" } };
/** Opens in ten hours or so, and is closed again before anybody looks. */
const closed = { start: `0 ${(new Date().getUTCHours() + 10) % 24} * * *`, duration: "1h" };
const open = { start: "* * * * *", duration: "2m" };

describe.each(clustersUnderTest())("between jobs on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });

  const annotate = async (scope: ItemScope, values: Readonly<Record<string, string | null>>): Promise<void> => {
    const key = { namespace: scope.namespace, name: "item" };
    const body = { metadata: { annotations: values } };
    await suite.environment.client.patch(resources.deployItem, key, { type: "merge", body });
  };
  const refresh = async (scope: ItemScope): Promise<void> =>
    annotate(scope, { [annotations.operation]: operations.refresh });
  const isRequested = (item: DeployItem): boolean => item.metadata.annotations?.[annotations.operation] !== undefined;
  const conditionOf = ({ status }: DeployItem, type: string) => status?.conditions?.find((each) => each.type === type);
  /** What belongs to the job. */
  const jobOf = ({ status }: DeployItem) => {
    const { conditions: _conditions, providerStatus: _inventory, exportRef: _ref, ...job } = status ?? {};
    return job;
  };
  const waitForData = async (scope: ItemScope, value: string) =>
    scope.waitForConfigMap("a", (found) => found?.data?.["x"] === value);
  /** Two of its times. */
  const waitInVain = async (scope: ItemScope, value: string): Promise<void> => {
    await sleep(2500);
    expect((await scope.data("a"))?.["x"]).toBe(value);
  };

  it.each([
    ["every", { continuousReconcile: { every: "1s", windows: [closed, open] } }],
    ["cron", { continuousReconcile: { cron: "@every 1s" } }],
  ])(
    "what was deployed is repeated by %s, exports included, and nothing of the job changes (B29)",
    async (_name, more) => {
      const scope = await suite.open("repeated");
      const manifest = scope.configMap("a", { x: "1" });
      const fromResource = referenceOf(manifest);
      const config = { ...more, exports: { exports: [{ key: "theirs", jsonPath: ".metadata.uid", fromResource }] } };
      const before = await scope.deploy("item", [manifest], { config });
      await scope.edit("a", { data: { x: "edited" } });
      await waitForData(scope, "1");
      const { targetClient } = suite.environment;
      await targetClient.delete(kubeResources.configMap, { namespace: scope.place, name: "a" });
      const remade = await waitForData(scope, "1");
      const done = await scope.waitFor("item", () => true);
      expect(jobOf(done)).toEqual(jobOf(before));
      const isExported = async (): Promise<boolean> =>
        isDeepStrictEqual(await scope.exportsOf("item"), { theirs: remade?.metadata.uid });
      await waitFor(isExported);
    },
  );

  it("it is suspended by an annotation, and goes on without it (B29)", async () => {
    const scope = await suite.open("suspended");
    const options = { config: oftenDo, annotations: { [annotations.continuousReconcileActive]: "false" } };
    await scope.deploy("item", [scope.configMap("a", { x: "1" })], options);
    await scope.edit("a", { data: { x: "edited" } });
    await waitInVain(scope, "edited");
    await annotate(scope, { [annotations.continuousReconcileActive]: null });
    await waitForData(scope, "1");
  });

  it("it waits outside of its windows (B29)", async () => {
    const scope = await suite.open("window");
    const config = { continuousReconcile: { every: "1s", windows: [closed] } };
    await scope.deploy("item", [scope.configMap("a", { x: "1" })], { config });
    await scope.edit("a", { data: { x: "edited" } });
    await waitInVain(scope, "edited");
    await scope.redeploy("item", [scope.configMap("a", { x: "2" })], {
      continuousReconcile: { every: "1s", windows: [closed, open] },
    });
    await scope.edit("a", { data: { x: "edited" } });
    await waitForData(scope, "2");
  });

  it.each([
    ["without a schedule", {}, {}],
    ["outside of the windows", { continuousReconcile: { every: "1s", windows: [closed] } }, {}],
    ["although it is suspended", oftenDo, { [annotations.continuousReconcileActive]: "false" }],
  ])("a refresh is done at once, %s, and writes nothing of the job (B29)", async (_name, config, marks) => {
    const scope = await suite.open("refresh");
    const before = await scope.deploy("item", [scope.configMap("a", { x: "1" })], { config, annotations: marks });
    await scope.edit("a", { data: { x: "edited" } });
    await refresh(scope);
    await waitForData(scope, "1");
    const done = await waitForRequest(scope);
    expect(conditionOf(done, "ContinuousReconcile")).toMatchObject({ status: "True", reason: "Succeeded" });
    expect(jobOf(done)).toEqual(jobOf(before));
    // Once.
    await scope.edit("a", { data: { x: "edited" } });
    await waitInVain(scope, "edited");
  });

  it("a refresh that fails says why, and is over", async () => {
    const scope = await suite.open("refresh-fails");
    const before = await scope.deploy("item", [scope.configMap("a", { x: "1" })]);
    const key = { namespace: scope.namespace, name: "cluster" };
    await suite.environment.client.delete(resources.target, key);
    await refresh(scope);
    const done = await waitForRequest(scope);
    expect(conditionOf(done, "ContinuousReconcile")).toMatchObject({ status: "False", reason: "NoTargetFound" });
    expect(jobOf(done)).toEqual(jobOf(before));
  });

  async function waitForRequest(scope: ItemScope): Promise<DeployItem> {
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(20)) {
      const item = await scope.get("item");
      if (!isRequested(item)) return item;
    }
    throw new Error("the request is still there");
  }

  it("nothing runs before a change of the spec was deployed, after a failure, or while a job is open", async () => {
    const scope = await suite.open("not-between");
    await scope.deploy("item", [scope.configMap("a", { x: "1" })], { config: oftenDo });
    const key = { namespace: scope.namespace, name: "item" };
    const body = { spec: { config: itemConfig([scope.configMap("a", { x: "2" })], oftenDo) } };
    await suite.environment.client.patch(resources.deployItem, key, { type: "merge", body });
    await scope.edit("a", { data: { x: "edited" } });
    await waitInVain(scope, "edited");
    await scope.trigger("item");
    await scope.waitForEnd("item");
    await waitForData(scope, "2");
    await scope.interrupt("item");
    await scope.edit("a", { data: { x: "edited" } });
    await waitInVain(scope, "edited");
  });

  it("drift is reported, corrected, and left where others may change it (B3, B4)", async () => {
    const scope = await suite.open("drift");
    const driftIgnore = [{ kind: "ConfigMap", jsonPointers: ["/data/free"] }];
    const manifests = [scope.configMap("a", { x: "1", free: "1" })];
    const config = { ...oftenDo, driftDetection: "warn", driftIgnore };
    await scope.deploy("item", manifests, { config });
    await scope.edit("a", { data: { x: "edited", free: "edited" } });
    const drifted = await scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ type, status }) => type === "Drifted" && status === "True"),
    );
    expect(conditionOf(drifted, "Drifted")).toMatchObject({
      reason: "Drifted",
      message: `ConfigMap ${scope.place}/a: .data.x`,
    });
    expect(await scope.data("a")).toEqual({ x: "edited", free: "edited" });
    await scope.redeploy("item", manifests, { ...config, driftDetection: "correct" });
    await scope.edit("a", { data: { x: "edited", free: "edited" } });
    await waitForData(scope, "1");
    expect(await scope.data("a")).toEqual({ x: "1", free: "edited" });
    await scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ type, reason }) => type === "Drifted" && reason === "Corrected"),
    );
  });
});
