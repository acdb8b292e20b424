import { expect } from "@jest/globals";
import type { Item } from "../../src/kits/plain-api.ts";
import { finalizer, operation, reconcile, reconcileIfChanged } from "../../src/kits/contract-names.ts";
import { deployItems, installation, playbackItem, subInstallation, times } from "../objects.ts";
import type { Place } from "../place.ts";
import type { Playback } from "../playback.ts";
import type { Scenario } from "../scenario.ts";

const oneItem = (playback: Playback = {}) => ({ deployExecutions: deployItems(playbackItem("item", playback)) });
const nested = (playback: Playback = {}) => ({
  subinstallations: [subInstallation({ name: "sub", blueprint: oneItem(playback) })],
});

/** Something else that runs from beginning to end: time enough for what must not happen. */
async function runAnother(place: Place, name: string): Promise<void> {
  await place.apply(installation({ name, blueprint: oneItem() }));
  await place.waitForPhase(name, "Succeeded");
}

const isOpen = ({ status }: Item): boolean => status?.jobID !== undefined && status.jobID !== status.jobIDFinished;

/** Root, sub-installation, its Execution and its only item. */
async function tree(place: Place): Promise<readonly Item[]> {
  const sub = (await place.subs("root")).get("sub");
  const name = sub?.metadata.name ?? "no sub-installation";
  const execution = await place.get("Execution", name);
  const item = (await place.items(name)).get("item");
  if (sub === undefined || item === undefined) throw new Error(`the tree of root is not complete: ${name}`);
  return [await place.get("Installation", "root"), sub, execution, item];
}

export const jobProtocol: readonly Scenario[] = [
  {
    title: "starts no job of a root Installation before the annotation asks for it (§1.1 no. 1, §5.1)",
    name: "trigger",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: oneItem(), annotations: {} }));
      await place.waitFor(
        ["Installation", "root"],
        (found) => found?.metadata.finalizers?.includes(finalizer) === true && found.spec?.["context"] === "default",
      );
      await runAnother(place, "other");
      const { status } = await place.get("Installation", "root");
      expect([status?.jobID, status?.phase ?? ""]).toEqual([undefined, ""]);
      await place.trigger("root");
      const ended = await place.waitForPhase("root", "Succeeded");
      expect(ended.status?.jobID).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  },
  {
    title: "hands one job ID down the tree and ends it level by level (§1.1 no. 2, §2.1)",
    name: "tree",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: nested({ outcome: "Hold" }) }));
      const sub = await place.waitForSub("root", "sub");
      const held = await place.waitForItem(sub, "item");
      // Statuses are written when a job waits: the parents' a moment after those of what they wait for.
      for (const name of ["root", sub]) {
        await place.waitFor(["Installation", name], (found) => found?.status?.phase === "Progressing");
      }
      await place.waitFor(["Execution", sub], (found) => found?.status?.phase === "Progressing");
      const running = await tree(place);
      const [root] = running;
      const job = root?.status?.jobID;
      expect(running.map(({ status }) => status?.jobID)).toEqual([job, job, job, job]);
      expect(running.map(isOpen)).toEqual([true, true, true, true]);
      expect(running.map(({ status }) => status?.phase)).toEqual(times(4, "Progressing"));
      await place.deployer.finish(held, "Succeeded");
      await place.waitForPhase("root", "Succeeded");
      const ended = await tree(place);
      expect(ended.map(({ status }) => [status?.phase, status?.jobIDFinished])).toEqual(times(4, ["Succeeded", job]));
      const {
        triggerTime = "",
        initTime = "",
        waitTime = "",
        finishedTime = "",
      } = ended[0]?.status?.transitionTimes ?? {};
      const moments = [triggerTime, initTime, waitTime, finishedTime].map((time) => Date.parse(time));
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    },
  },
  {
    title: "keeps all objects over the next job, which has another ID (§3.1)",
    name: "again",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: nested() }));
      await place.waitForPhase("root", "Succeeded");
      const before = await tree(place);
      await place.trigger("root");
      await place.waitForPhase("root", "Succeeded");
      const after = await tree(place);
      expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
      expect(after[0]?.status?.jobID).not.toBe(before[0]?.status?.jobID);
      expect(new Set(after.map(({ status }) => status?.jobIDFinished)).size).toBe(1);
      expect(place.deployer.log).toEqual(["install item", "install item"]);
    },
  },
  {
    title: "lets a running job end before the one that was asked for meanwhile (§1.1 no. 1, §2.2)",
    name: "busy",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: oneItem({ outcome: "Hold" }) }));
      const first = await place.waitForItem("root", "item");
      await place.trigger("root");
      await runAnother(place, "other");
      const running = await place.get("Installation", "root");
      expect(running.status?.jobID).toBe(first.status?.jobID);
      expect(running.metadata.annotations?.[operation]).toBe("reconcile");
      await place.deployer.finish(first, "Succeeded");
      await place.waitFor(["DeployItem", first.metadata.name], (found) => found?.status?.jobID !== first.status?.jobID);
      await place.deployer.finish(await place.waitForItem("root", "item"), "Succeeded");
      await place.waitForPhase("root", "Succeeded");
      expect(place.deployer.log.filter((line) => line === "install item")).toHaveLength(3);
    },
  },
  {
    title: "removes the annotation from a nested Installation, and does nothing (§1.1 no. 4)",
    name: "nested-trigger",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: nested() }));
      const ended = await place.waitForPhase("root", "Succeeded");
      const name = (await place.subs("root")).get("sub")?.metadata.name ?? "";
      await place.patch("Installation", name, { metadata: { annotations: reconcile } });
      const sub = await place.waitFor(
        ["Installation", name],
        (found) => found?.metadata.annotations?.[operation] === undefined,
      );
      await runAnother(place, "other");
      expect([sub?.status?.jobID, sub?.status?.jobIDFinished]).toEqual([ended.status?.jobID, ended.status?.jobID]);
    },
  },
  {
    title: "reports the failure of an item on every level, and nothing of it after the next success (§2.9)",
    name: "failure",
    async run(place) {
      await place.apply(installation({ name: "root", blueprint: nested({ outcome: "Failed" }) }));
      await place.waitForPhase("root", "Failed");
      const failed = await tree(place);
      expect(failed.map(({ status }) => status?.phase)).toEqual(times(4, "Failed"));
      for (const { status } of failed) {
        expect(status?.jobIDFinished).toBe(failed[0]?.status?.jobID);
        expect(status?.lastError).toMatchObject({
          operation: expect.stringMatching(/./),
          reason: expect.stringMatching(/./),
          message: expect.stringMatching(/./),
          lastTransitionTime: expect.stringMatching(/^\d{4}-/),
          lastUpdateTime: expect.stringMatching(/^\d{4}-/),
        });
      }
      await place.apply(installation({ name: "root", blueprint: nested() }));
      await place.waitForPhase("root", "Succeeded");
      expect((await tree(place)).map(({ status }) => status?.lastError)).toEqual(times(4, undefined));
    },
  },
  {
    title: "starts jobs on new specs by itself with reconcile-if-changed (§1.1 no. 10, §4.40)",
    name: "if-changed",
    async run(place) {
      const wanted = (text: string) =>
        installation({ name: "root", blueprint: oneItem({ text }), annotations: reconcileIfChanged });
      await place.apply(wanted("one"));
      const first = await place.waitForPhase("root", "Succeeded");
      await place.apply(wanted("two"));
      await place.waitFor(["Installation", "root"], (found) => found?.status?.jobID !== first.status?.jobID);
      const second = await place.waitForPhase("root", "Succeeded");
      expect(second.metadata.annotations).toMatchObject(reconcileIfChanged);
      expect((await place.items("root")).get("item")?.spec?.["config"]).toMatchObject({ text: "two" });
    },
  },
];
