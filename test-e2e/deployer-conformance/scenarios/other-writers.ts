import { equal, expectField, expectThat, including } from "../expectations.ts";
import { now } from "../landscaper.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { listEnds } from "./job-writes.ts";

export const otherWriters: readonly Scenario[] = [
  {
    id: "C1",
    title: "ends a job once although somebody writes the item meanwhile",
    contract: "Writes are guarded by the resource version; a lost race is no failure (deployers.md §3.1 step 8)",
    needs: ["slow"],
    async run(place) {
      const jobID = await place.start("slow");
      await place.waitForPickup();
      const annotations = Object.fromEntries([1, 2, 3, 4, 5].map((count) => [`conformance.test/${count}`, "kept"]));
      for (const [key, value] of Object.entries(annotations)) {
        await place.annotate({ [key]: value });
        await place.sleep(0.1);
      }
      await place.release("slow");
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.jobIDFinished", equal(jobID));
      expectField(ended, "metadata.annotations", including(annotations));
      const ends = listEnds(await place.writes());
      expectThat(
        ends.length === 1,
        `DeployItem ${place.namespace}/${itemName}: expected one end, found ${ends.length}`,
      );
    },
  },
  {
    id: "C2",
    title: "keeps a condition that somebody else writes while it works",
    contract: "A status is read again before it is written (deployers.md §4 no. 10)",
    needs: ["slow"],
    async run(place) {
      await place.start("slow");
      await place.waitForPickup();
      const time = now();
      const other = { type: "conformance.test/Meanwhile", status: "True", reason: "Kept", message: "of somebody else" };
      const condition = { ...other, lastTransitionTime: time, lastUpdateTime: time };
      await place.writeStatus(({ status }) => {
        const conditions: unknown = status?.["conditions"];
        return { conditions: [...(Array.isArray(conditions) ? (conditions as unknown[]) : []), condition] };
      });
      await place.release("slow");
      const { status, ...ended } = await place.waitForEnd("Succeeded");
      const conditions: unknown = status?.["conditions"];
      const types = (Array.isArray(conditions) ? conditions : []).map(
        (each) => Reflect.get(Object(each), "type") as unknown,
      );
      const kept = { ...ended, status: { conditionTypes: types.filter((type) => type === other.type) } };
      expectField(kept, "status.conditionTypes", equal([other.type]));
    },
  },
  {
    id: "C3",
    title: "ends its job when the item is changed in the middle, and brings the change about with the next",
    contract: "Changes of a running item belong to the next job (deployers.md §3.2)",
    needs: ["slow", "changed.effects"],
    async run(place) {
      const jobID = await place.start("slow");
      await place.waitForPickup();
      await place.configure("changed");
      await place.release("slow");
      const first = await place.waitForEnd("Succeeded");
      expectField(first, "status.jobIDFinished", equal(jobID));
      const ends = listEnds(await place.writes());
      expectThat(
        ends.length === 1,
        `DeployItem ${place.namespace}/${itemName}: expected one end, found ${ends.length}`,
      );
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("changed");
    },
  },
  {
    id: "C4",
    title: "ends its job as one when the item is deleted in the middle, and deletes it with the next",
    contract: "A deletion starts with the next job (deployers.md §3.1, §4 no. 1)",
    isStricter: true,
    needs: ["slow"],
    async run(place) {
      const jobID = await place.start("slow");
      await place.waitForPickup();
      await place.remove();
      await place.release("slow");
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.jobIDFinished", equal(jobID));
      await place.trigger();
      await place.waitUntilGone();
    },
  },
];
