// Works with the other side's core, both ways, by one recording of what core and deployer write into a deploy item
// (../take-over/exchange.ts): our deployer answers the recorded core, our core the recorded deployer. Each has to make the turns that the
// recording has. Landscapes that change sides are in take-over.test.ts and going-back.test.ts.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type DeployItem } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { deployItems, inlineInstallation } from "../src/installations/inline-installation.ts";
import { itemConfig } from "../src/items/item-scope.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import type { Api, Cluster, Item, Status } from "../src/kits/plain-api.ts";
import { apiVersion, connect, isConflict } from "../src/kits/plain-api.ts";
import { playedType, removeFinalizer, waitForJob } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { Exchange, Moment, Turn, Write } from "../take-over/exchange.ts";
import { deleting, failing, playedTurns, refusing, succeeding, turnsOf, written } from "../take-over/exchange.ts";

const finalizer = "finalizer.landscaper.gardener.cloud";
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** A guarded write of the status, as the other side makes it. */
async function write(api: Api, name: string, fields: (item: Item) => object): Promise<Item> {
  for (;;) {
    const item = await api.get("DeployItem", name);
    try {
      return await api.putStatus({ ...item, status: written(item.status ?? {}, { ...fields(item) }) });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

const momentOf = ({ metadata, status }: Item): Moment => ({
  now: now(),
  generation: metadata.generation ?? 0,
  jobID: status?.jobID ?? "",
});

describe.each(clustersUnderTest())("the protocol of deploy items on %s", (cluster) => {
  let environment: Environment;
  let plain: Cluster;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
    plain = connect(environment.hub.kubeconfig);
  });
  afterAll(async () => {
    await plain?.close();
    await environment.stop();
  });

  /** The versions of the only item's status that are written meanwhile, until `isOver`; the one before them first. */
  async function turnsUntil(
    scope: TestNamespace,
    work: () => Promise<void>,
    isOver: (item: DeployItem | undefined) => boolean,
  ): Promise<readonly Turn[]> {
    const history = await recordHistory(environment.client, resources.deployItem, scope.name);
    await work();
    for (;;) {
      const last = history.seen.at(-1);
      if (isOver(last === undefined || last.type === "DELETED" ? undefined : last.object)) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await history.stop();
    // Our core also writes metadata: the id of the landscaper cluster, after the first job.
    const changes = history.seen.filter(
      ({ type, object }, at) =>
        type === "MODIFIED" && !isDeepStrictEqual(object.status, history.seen[at - 1]?.object.status),
    );
    return turnsOf(changes.map(({ object }) => object.status ?? {}));
  }

  describe("our deployer answers the original's core", () => {
    async function play(scope: TestNamespace, exchange: Exchange): Promise<void> {
      const api = plain.namespace(scope.name);
      const { status = {}, ...item } = await api.get("DeployItem", "item");
      const at = { ...momentOf(item), jobID: randomUUID() };
      const turns = await turnsUntil(
        scope,
        async () => void (await write(api, "item", () => exchange.core(status, at))),
        (found) => found?.status?.jobIDFinished === at.jobID,
      );
      expect(turns).toEqual(playedTurns(exchange, status, at));
    }

    it("jobs that succeed, are refused and fail, and the deletion", async () => {
      const scope = await environment.namespace("their-core");
      const api = plain.namespace(scope.name);
      await scope.apply(scope.target("cluster"));
      const manifest = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "map", namespace: scope.targetNamespace },
      };
      const spec = {
        type: "landscaper.gardener.cloud/kubernetes-manifest",
        context: "default",
        target: { name: "cluster", namespace: scope.name },
        config: itemConfig([manifest]),
      };
      await api.create({ apiVersion, kind: "DeployItem", metadata: { name: "item", finalizers: [finalizer] }, spec });
      await play(scope, succeeding);
      const set = async (changes: object): Promise<unknown> => await api.patch("DeployItem", "item", { spec: changes });
      await set({ config: { manifests: "none" } });
      await play(scope, refusing);
      // What it waits for does not come.
      const resourceSelector = [
        { apiVersion: "v1", kind: "ConfigMap", name: "none", namespace: scope.targetNamespace },
      ];
      const requirements = [{ jsonPath: ".data.key", operator: "exists" }];
      const readinessChecks = { custom: [{ name: "none", resourceSelector, requirements }] };
      await set({ config: { ...spec.config, readinessChecks }, timeout: "1s" });
      await play(scope, failing);
      await set({ config: { readinessChecks: null }, timeout: "1m" });
      await play(scope, succeeding);

      await api.delete("DeployItem", "item");
      const { status = {}, ...item } = await api.get("DeployItem", "item");
      const at = { ...momentOf(item), jobID: randomUUID() };
      const turns = await turnsUntil(
        scope,
        async () => void (await write(api, "item", () => deleting.core(status, at))),
        (found) => found === undefined,
      );
      expect(turns).toEqual(playedTurns(deleting, status, at));
    });
  });

  describe("our core answers the original's deployer", () => {
    const isOpen = (status: Status): boolean => status.jobID !== undefined && status.jobID !== status.jobIDFinished;

    async function answer(api: Api, name: string, deployer: readonly Write[]): Promise<void> {
      for (const each of deployer) {
        await write(api, name, (item) => each(item.status ?? {}, momentOf(item)));
      }
    }

    async function play(scope: TestNamespace, exchange: Exchange, before: Status): Promise<readonly [Turn[], Turn[]]> {
      const api = plain.namespace(scope.name);
      let at: Moment | undefined;
      const turns = await turnsUntil(
        scope,
        async () => {
          const item = await itemOf(scope);
          const open = await waitForJob(scope, item);
          at = momentOf({ ...(open as unknown as Item) }); // in plain JSON
          await answer(api, item, exchange.deployer);
        },
        (found) => found !== undefined && !isOpen(found.status ?? {}),
      );
      if (at === undefined) throw new Error("expected a job, found none");
      return [[...turns], [...playedTurns(exchange, before, at)]];
    }

    async function itemOf(scope: TestNamespace): Promise<string> {
      const found = await scope.until(resources.execution, "root", (execution) => execution !== undefined);
      for (;;) {
        const [item] = (await scope.deployItems(found?.metadata.name ?? "")).values();
        if (item?.metadata.name !== undefined) return item.metadata.name;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    const root = (word: string, triggered: boolean) => {
      const config = { apiVersion: "test/v1", kind: "Played", word };
      const blueprint = { deployExecutions: deployItems({ name: "item", type: playedType, config }) };
      return inlineInstallation({ name: "root", blueprint, triggered });
    };

    it("a job that succeeds, one that fails, and the deletion", async () => {
      const scope = await environment.namespace("their-deployer");
      const api = plain.namespace(scope.name);
      await scope.apply(root("one", true));
      const [first, wanted] = await play(scope, succeeding, {});
      // The item is created, and has its finalizer, before the first turn.
      expect(first.filter(({ jobID }) => jobID !== undefined)).toEqual(wanted);
      await scope.waitForPhase("root", "Succeeded");

      const name = await itemOf(scope);
      const before = (await api.get("DeployItem", name)).status ?? {};
      await scope.apply(root("two", true));
      const [second, failed] = await play(scope, failing, before);
      expect(second.slice(-failed.length)).toEqual(failed);
      const ended = await scope.waitForPhase("root", "Failed");
      expect(ended.status?.lastError?.message).toContain('timeout at: "readiness checks"');
      expect(ended.status?.lastError?.codes).toContain("ERR_TIMEOUT");

      const last = (await api.get("DeployItem", name)).status ?? {};
      const history = await recordHistory(environment.client, resources.deployItem, scope.name);
      await scope.delete(resources.installation, "root");
      const open = await waitForJob(scope, name);
      await answer(api, name, deleting.deployer);
      await removeFinalizer(scope, name);
      await scope.untilGone(resources.installation, "root");
      await history.stop();
      const seen = history.seen.filter(({ type }) => type === "MODIFIED").map(({ object }) => object.status ?? {});
      const turns = turnsOf(seen);
      const deletion = playedTurns(deleting, last, momentOf(open as unknown as Item));
      expect(turns.slice(-deletion.length)).toEqual(deletion);
    });
  });
});
