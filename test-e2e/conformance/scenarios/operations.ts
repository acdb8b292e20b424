import { expect } from "@jest/globals";
import type { Item } from "../../src/kits/plain-api.ts";
import { deleteIgnoreSuccessors, deleteWithoutUninstall, operation, reconcile } from "../../src/kits/contract-names.ts";
import {
  dataRefs,
  deployItems,
  goTemplate,
  installation,
  playbackItem,
  subInstallation,
  text,
  times,
} from "../objects.ts";
import type { Place } from "../place.ts";
import type { Playback } from "../playback.ts";
import type { Scenario } from "../scenario.ts";

const items = (playbacks: Readonly<Record<string, Playback>>) => ({
  deployExecutions: deployItems(...Object.entries(playbacks).map(([name, playback]) => playbackItem(name, playback))),
});
const sub = (name: string, playback: Playback = {}) =>
  subInstallation({ name, blueprint: items({ [name]: playback }) });
const interrupt = { [operation]: "interrupt" };

const exporter = installation({
  name: "a",
  blueprint: { exports: [text("word")], exportExecutions: goTemplate("exports: { word: hello }\n") },
  exports: dataRefs("word"),
});
const importer = (playback: Playback = {}) =>
  installation({
    name: "c",
    blueprint: { imports: [text("word")], ...items({ item: playback }) },
    imports: dataRefs("word"),
    annotations: {},
  });

async function annotate(place: Place, name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
  await place.patch("Installation", name, { metadata: { annotations } });
}

const jobsOf = (all: readonly Item[]): readonly unknown[] =>
  all.map(({ status }) => [status?.phase, status?.jobID === status?.jobIDFinished]);

export const operations: readonly Scenario[] = [
  {
    title: "ends a hanging job when it is interrupted (§2.7, §5.20)",
    name: "interrupt",
    async run(place) {
      const nested = (playback: Playback) => ({ subinstallations: [sub("sub", playback)] });
      await place.apply(installation({ name: "root", blueprint: nested({ outcome: "Hold" }) }));
      const name = await place.waitForSub("root", "sub");
      await place.waitForItem(name, "sub");
      await annotate(place, "root", interrupt);
      await place.waitForPhase("root", "Failed");
      const item = (await place.items(name)).get("sub");
      expect(item?.status?.lastError?.message).toContain("interrupted");
      const all = [...(await place.list("Installation")), await place.get("Execution", name), ...(item ? [item] : [])];
      expect(jobsOf(all)).toEqual(times(4, ["Failed", true]));
      expect(new Set(all.map(({ status }) => status?.jobID)).size).toBe(1);
      expect(
        all.map(({ metadata }) => metadata.annotations?.[operation]).filter((each) => each === "interrupt"),
      ).toEqual([]);
      await place.apply(installation({ name: "root", blueprint: nested({}) }));
      await place.waitForPhase("root", "Succeeded");
    },
  },
  {
    title: "fails an interrupted deletion, and deletes again when asked (§2.7, §4.37)",
    name: "interrupt-delete",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: items({ item: { onDelete: "Hold" } }) }));
      await place.waitForPhase("root", "Succeeded");
      await place.delete("Installation", "root");
      await place.waitForItem("root", "item");
      await annotate(place, "root", interrupt);
      const failed = await place.waitForPhase("root", "DeleteFailed");
      expect(failed.status?.jobIDFinished).toBe(failed.status?.jobID);
      await annotate(place, "root", reconcile);
      await place.deployer.release(await place.waitForItem("root", "item"));
      await place.waitGone("Installation", "root");
    },
  },
  {
    title: "reports an uninstallation that fails, and deletes again when asked (§2.3, §4.37)",
    name: "delete-fails",
    async run(place) {
      await place.apply(
        installation({ name: "root", blueprint: { subinstallations: [sub("sub", { onDelete: "Failed" })] } }),
      );
      await place.waitForPhase("root", "Succeeded");
      const name = (await place.subs("root")).get("sub")?.metadata.name ?? "";
      await place.delete("Installation", "root");
      await place.waitForPhase("root", "DeleteFailed");
      const [item] = await place.list("DeployItem");
      const failed = [
        await place.get("Installation", name),
        await place.get("Execution", name),
        ...(item ? [item] : []),
      ];
      expect(jobsOf(failed)).toEqual(times(3, ["DeleteFailed", true]));
      await place.patch("DeployItem", item?.metadata.name ?? "", { spec: { config: { onDelete: "Succeeded" } } });
      await annotate(place, "root", reconcile);
      await place.waitGone("Installation", "root");
      expect(await place.list("DeployItem")).toEqual([]);
    },
  },
  {
    title: "deletes what never ran, whatever its blueprint (§4.36)",
    name: "delete-fresh",
    async run(place) {
      await place.apply(
        installation({
          name: "root",
          blueprint: {},
          spec: { blueprint: { inline: { filesystem: { "blueprint.yaml": "{ no yaml" } } } },
          annotations: {},
        }),
      );
      await place.waitFor(["Installation", "root"], (found) => (found?.metadata.finalizers ?? []).length > 0);
      await place.delete("Installation", "root");
      await place.waitGone("Installation", "root");
    },
  },
  {
    title: "lets a running job end before it deletes (§2.3)",
    name: "delete-busy",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: items({ item: { outcome: "Hold" } }) }));
      const held = await place.waitForItem("root", "item");
      await place.delete("Installation", "root");
      await place.apply(installation({ name: "other", blueprint: items({ other: {} }) }));
      await place.waitForPhase("other", "Succeeded");
      const running = await place.get("Installation", "root");
      expect([running.status?.phase, running.status?.jobID]).toEqual(["Progressing", held.status?.jobID]);
      await place.deployer.finish(held, "Succeeded");
      await place.waitGone("Installation", "root");
      expect(place.deployer.log).toEqual(["install item", "install other", "uninstall item"]);
    },
  },
  {
    title: "deletes without uninstalling, also without deployers (§1.1 no. 14, §5.21)",
    name: "without-uninstall",
    async run(place) {
      const blueprint = {
        subinstallations: [sub("sub", { onDelete: "Hold" })],
        ...items({ item: { onDelete: "Hold" } }),
      };
      await place.apply(installation({ name: "root", blueprint }));
      await place.waitForPhase("root", "Succeeded");
      await place.deployer.stop();
      await annotate(place, "root", deleteWithoutUninstall);
      await place.delete("Installation", "root");
      await place.waitGone("Installation", "root");
      expect([await place.list("DeployItem"), await place.list("Execution")]).toEqual([[], []]);
    },
  },
  {
    title: "keeps an Installation as long as a sibling imports from it (§5.12)",
    name: "delete-blocked",
    async run(place) {
      await place.apply(importer(), exporter);
      await place.waitForPhase("a", "Succeeded");
      await place.waitFor(["Installation", "c"], (found) => found?.status?.phase === "Succeeded");
      await place.delete("Installation", "a");
      const waiting = await place.waitFor(["Installation", "a"], (found) => found?.status?.phase === "InitDelete");
      expect(waiting?.metadata.deletionTimestamp).toBeDefined();
      await place.apply(installation({ name: "other", blueprint: items({ other: {} }) }));
      await place.waitForPhase("other", "Succeeded");
      expect((await place.get("Installation", "a")).status?.phase).toBe("InitDelete");
      expect((await place.get("Installation", "c")).metadata.deletionTimestamp).toBeUndefined();
      await place.delete("Installation", "c");
      await place.waitGone("Installation", "c");
      await place.waitGone("Installation", "a");
    },
  },
  {
    title: "deletes in spite of siblings with delete-ignore-successors (§1.1 no. 15)",
    name: "ignore-successors",
    async run(place) {
      await place.apply(importer(), exporter);
      await place.waitForPhase("a", "Succeeded");
      await place.waitFor(["Installation", "c"], (found) => found?.status?.phase === "Succeeded");
      await annotate(place, "a", deleteIgnoreSuccessors);
      await place.delete("Installation", "a");
      await place.waitGone("Installation", "a");
      expect((await place.get("Installation", "c")).status?.phase).toBe("Succeeded");
    },
  },
  {
    title: "adds and removes sub-installations with the blueprint, orphans first (§1.1 no. 16, §5.10)",
    name: "sub-orphans",
    async run(place) {
      const wanted = (...names: readonly string[]) =>
        installation({
          name: "root",
          blueprint: { subinstallations: names.map((name) => sub(name, { text: names.join() })) },
        });
      const names = async () => {
        await place.waitForPhase("root", "Succeeded");
        return [...(await place.subs("root")).keys()].toSorted();
      };
      await place.apply(wanted("one", "two"));
      expect(await names()).toEqual(["one", "two"]);
      const uid = (await place.subs("root")).get("one")?.metadata.uid;
      await place.apply(wanted("one", "two", "three"));
      expect(await names()).toEqual(["one", "three", "two"]);
      const before = place.deployer.log.length;
      await place.apply(wanted("one"));
      expect(await names()).toEqual(["one"]);
      const log = place.deployer.log.slice(before);
      expect([log.slice(0, 2).toSorted(), log.slice(2)]).toEqual([
        ["uninstall three", "uninstall two"],
        ["install one"],
      ]);
      expect((await place.subs("root")).get("one")?.metadata.uid).toBe(uid);
    },
  },
  {
    title: "marks orphans, so that siblings do not keep them (§1.1 no. 15)",
    name: "orphan-mark",
    async run(place) {
      const root = (...names: readonly string[]) =>
        installation({
          name: "root",
          blueprint: { subinstallations: names.map((name) => sub(name, { onDelete: "Hold" })) },
        });
      await place.apply(root("kept", "old"));
      await place.waitForPhase("root", "Succeeded");
      const old = await place.waitForSub("root", "old");
      await place.apply(root("kept"));
      const held = await place.waitForItem(old, "old");
      const orphan = await place.get("Installation", old);
      expect(orphan.metadata.annotations).toMatchObject(deleteIgnoreSuccessors);
      expect((await place.get("Installation", "root")).status?.phase).toBe("CleanupOrphaned");
      await place.deployer.release(held);
      await place.waitForPhase("root", "Succeeded");
    },
  },
  {
    title: "repeats a failed job at once, as often as the spec allows (§2.4, §5.22)",
    name: "retry",
    async run(place) {
      const failedReconcile = { numberOfReconciles: 1, interval: "1h" };
      await place.apply(
        installation({
          name: "root",
          blueprint: items({ item: { outcome: "Failed" } }),
          spec: { automaticReconcile: { failedReconcile } },
        }),
      );
      await place.waitFor(["Installation", "root"], () => place.deployer.log.length === 2);
      const failed = await place.waitForPhase("root", "Failed");
      expect(failed.status?.["automaticReconcileStatus"]).toMatchObject({ numberOfReconciles: 1, onFailed: true });
      await place.apply(installation({ name: "other", blueprint: items({ other: {} }) }));
      await place.waitForPhase("other", "Succeeded");
      expect(place.deployer.log).toEqual(["install item", "install item", "install other"]);
    },
  },
  {
    title: "deletes a whole tree and leaves nothing of its own (§2.3)",
    name: "delete-tree",
    async run(place) {
      const inner = subInstallation({ name: "inner", blueprint: { subinstallations: [sub("leaf")] } });
      await place.apply(
        installation({
          name: "root",
          blueprint: {
            subinstallations: [inner],
            ...items({ item: {} }),
            exports: [text("word")],
            exportExecutions: goTemplate("exports: { word: hello }\n"),
          },
          exports: dataRefs("word"),
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      expect(await place.list("Installation")).toHaveLength(3);
      await place.delete("Installation", "root");
      await place.waitGone("Installation", "root");
      expect([await place.list("Installation"), await place.list("Execution"), await place.list("DeployItem")]).toEqual(
        [[], [], []],
      );
      expect(place.deployer.log.toSorted()).toEqual([
        "install item",
        "install leaf",
        "uninstall item",
        "uninstall leaf",
      ]);
    },
  },
];
