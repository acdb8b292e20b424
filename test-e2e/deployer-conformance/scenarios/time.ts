import type { Place } from "../place.ts";
import { equal, expectField, expectThat, listing, oneOf } from "../expectations.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { findPickup, listEnds } from "./jobs.ts";

/** Seconds between pickup and end, as they arrived; the pickup is written in whole seconds. */
async function expectDeadline(place: Place, seconds: number): Promise<void> {
  const writes = await place.writes();
  const end = listEnds(writes).at(-1);
  const pickup = findPickup(writes);
  const took = ((end?.at ?? Number.NaN) - (pickup?.at ?? Number.NaN)) / 1000;
  const { tolerance } = place.profile.seconds;
  const isExact = took > seconds - 1.1 && took < seconds + tolerance;
  expectThat(
    isExact,
    `DeployItem ${place.namespace}/${itemName}: expected the end ${seconds} s after the pickup (at most ${tolerance} s later), found ${took.toFixed(1)} s`,
  );
}

export const time: readonly Scenario[] = [
  {
    id: "T1",
    title: "ends a job when spec.timeout is over, neither earlier nor later",
    contract:
      "initTime + spec.timeout is the deadline: Failed with ERR_TIMEOUT (deployers.md §1.1, Progressing timeout)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.start("waits", { spec: { timeout: "3s" } });
      const ended = await place.waitForEnd("Failed");
      expectField(ended, "status.lastError.codes", listing("ERR_TIMEOUT"));
      await expectDeadline(place, 3);
    },
  },
  {
    id: "T2",
    title: "takes timeout: none for no deadline",
    contract: "none switches the deadline off; it does not mean at once (deployers.md §0 no. 6, §4 no. 7)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.start("waits", { spec: { timeout: "none" } });
      await place.waitForPickup();
      await place.sleep(place.profile.seconds.quiet);
      const item = await place.api.get("DeployItem", itemName);
      expectField(item, "status.phase", oneOf("Init", "Progressing", "Processing"));
      await place.interrupt();
    },
  },
  {
    id: "T3",
    title: "does not put the deadline off because somebody changes the item",
    contract: "The deadline is measured from the pickup and not reset by retries (deployers.md §4 no. 8)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.start("waits", { spec: { timeout: "3s" } });
      await place.waitForPickup();
      for (let count = 0; count < 8; count++) {
        await place.annotate({ "conformance.test/count": `${count}` });
        await place.sleep(0.3);
      }
      await place.waitForEnd("Failed");
      await expectDeadline(place, 3);
    },
  },
  {
    id: "T4",
    title: "keeps the deadline of a job that a former process had picked up",
    contract: "initTime in the status is the anchor, also for the process that carries on (deployers.md §3.1)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.createTarget();
      await place.create("waits", { spec: { timeout: "5m" } });
      const old = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`;
      await place.trigger(itemName, {
        phase: "Progressing",
        observedGeneration: 1,
        lastReconcileTime: old,
        deployer: { identity: "conformance-former", name: "conformance", version: "v0" },
        transitionTimes: { triggerTime: old, initTime: old },
      });
      const ended = await place.waitForEnd("Failed");
      expectField(ended, "status.lastError.codes", listing("ERR_TIMEOUT"));
    },
  },
  {
    id: "T5",
    title: "gives the next job its whole time again",
    contract: "The deadline is that of the job, from its own pickup (deployers.md §1.1, Progressing timeout)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.start("waits", { spec: { timeout: "2s" } });
      await place.waitForEnd("Failed");
      await place.configure("succeeds", { spec: { timeout: "2m" } });
      await place.trigger();
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.observedGeneration", equal(ended.metadata.generation));
    },
  },
];
