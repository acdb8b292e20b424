import { expect } from "@jest/globals";
import { deployItems, installation, playbackItem } from "../objects.ts";
import type { ItemFields } from "../objects.ts";
import type { Scenario } from "../scenario.ts";

const root = (items: Readonly<Record<string, ItemFields>>) =>
  installation({
    name: "root",
    blueprint: {
      deployExecutions: deployItems(...Object.entries(items).map(([name, fields]) => playbackItem(name, fields))),
    },
  });
const after = (...dependsOn: readonly string[]) => ({ item: { dependsOn } });

export const executions: readonly Scenario[] = [
  {
    title: "hands items out in the order of dependsOn and takes them back in reverse (§2.6, §5.18)",
    name: "order",
    async run(place) {
      const order = { c: after("b"), b: { ...after("a"), outcome: "Hold" as const }, a: {} };
      await place.apply(root(order));
      const held = await place.waitForItem("root", "b");
      const items = await place.items("root");
      expect([items.get("a")?.status?.phase, items.get("c")?.status?.jobID]).toEqual(["Succeeded", undefined]);
      await place.deployer.finish(held, "Succeeded");
      await place.waitForPhase("root", "Succeeded");
      await place.delete("Installation", "root");
      await place.waitGone("Installation", "root");
      const there = ["install a", "install b", "install c"];
      expect(place.deployer.log).toEqual([...there, "uninstall c", "uninstall b", "uninstall a"]);
    },
  },
  {
    title: "starts nothing more after a failure, and fails when what runs has ended (§1.3 no. 62)",
    name: "fail-fast",
    async run(place) {
      await place.apply(root({ bad: { outcome: "Failed" }, slow: { outcome: "Hold" }, next: after("slow") }));
      const slow = await place.waitForItem("root", "slow");
      const bad = (await place.items("root")).get("bad")?.metadata.name ?? "";
      await place.waitFor(["DeployItem", bad], (found) => found?.status?.phase === "Failed");
      // Not failed yet. A core may tell of it a moment later.
      await place.waitFor(["Execution", "root"], (found) => found?.status?.phase === "Progressing");
      await place.deployer.finish(slow, "Succeeded");
      await place.waitForPhase("root", "Failed");
      const items = await place.items("root");
      expect(items.get("next")?.status?.jobID).toBeUndefined();
      expect(items.get("slow")?.status?.phase).toBe("Succeeded");
      expect((await place.get("Execution", "root")).status?.phase).toBe("Failed");
    },
  },
  {
    title: "uninstalls items that are not rendered any more before it starts others (§1.3 no. 63, §4.11)",
    name: "orphans",
    async run(place) {
      await place.apply(root({ old: { onDelete: "Hold" }, kept: {} }));
      await place.waitForPhase("root", "Succeeded");
      await place.apply(root({ kept: { text: "changed" }, added: {} }));
      const old = await place.waitForItem("root", "old");
      expect(old.metadata.deletionTimestamp).toBeDefined();
      expect(place.deployer.log.slice(2)).toEqual(["uninstall old"]);
      await place.deployer.release(old);
      await place.waitForPhase("root", "Succeeded");
      expect(place.deployer.log.slice(3).toSorted()).toEqual(["install added", "install kept"]);
      expect([...(await place.items("root")).keys()].toSorted()).toEqual(["added", "kept"]);
    },
  },
  {
    title: "gives an item another generation when its rendering changes, and only then (§4.30, §4.31)",
    name: "generation",
    async run(place) {
      const wanted = (text: string) => root({ same: { item: { updateOnChangeOnly: true } }, other: { text } });
      const generations = async () => {
        await place.waitForPhase("root", "Succeeded");
        const items = await place.items("root");
        return ["same", "other"].map((name) => items.get(name)?.metadata.generation ?? 0);
      };
      await place.apply(wanted("one"));
      const [same = 0, other = 0] = await generations();
      const { generation } = (await place.get("Execution", "root")).metadata;
      await place.trigger("root");
      expect(await generations()).toEqual([same, other]);
      expect((await place.get("Execution", "root")).metadata.generation).toBe(generation);
      await place.apply(wanted("two"));
      expect(await generations()).toEqual([same, other + 1]);
      expect((await place.items("root")).get("same")?.spec?.["updateOnChangeOnly"]).toBe(true);
    },
  },
  {
    title: "fails an item whose object somebody has removed during the job (§4.32)",
    name: "missing-item",
    async run(place) {
      await place.apply(root({ lost: { outcome: "Hold" }, kept: { outcome: "Hold" } }));
      const [lost, kept] = [await place.waitForItem("root", "lost"), await place.waitForItem("root", "kept")];
      await place.delete("DeployItem", lost.metadata.name);
      await place.deployer.release(lost);
      await place.waitGone("DeployItem", lost.metadata.name);
      await place.deployer.finish(kept, "Succeeded");
      await place.waitForPhase("root", "Failed");
    },
  },
  {
    title: "refuses items that depend on each other in a ring, and creates none (§3.6, §5.18)",
    name: "item-ring",
    async run(place) {
      await place.apply(root({ a: after("b"), b: after("a") }));
      await place.waitForPhase("root", "Failed");
      expect(await place.list("DeployItem")).toEqual([]);
    },
  },
  {
    title: "fails items that no deployer picks up in time (§2.8, §5.17)",
    name: "pickup",
    needs: "pickupSeconds",
    async run(place, { pickupSeconds = 0 }) {
      const unserved = { name: "unserved", type: "conformance.test/unserved", config: { apiVersion: "v1", kind: "X" } };
      await place.apply(
        installation({
          name: "root",
          blueprint: { deployExecutions: deployItems(unserved, playbackItem("served")) },
        }),
      );
      const started = Date.now();
      await place.waitForPhase("root", "Failed");
      expect(Date.now() - started).toBeGreaterThan((pickupSeconds - 1) * 1000);
      const items = await place.items("root");
      const { status } = items.get("unserved") ?? {};
      expect(status).toMatchObject({
        phase: "Failed",
        jobIDFinished: status?.jobID,
        lastError: { reason: "PickupTimeout", codes: expect.arrayContaining(["ERR_TIMEOUT"]) },
      });
      expect(items.get("served")?.status?.phase).toBe("Succeeded");
    },
  },
];
