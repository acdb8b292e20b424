import type { Place } from "../place.ts";
import { expectField, expectThat, listing, oneOf } from "../expectations.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { findPickup, listEnds } from "./job-writes.ts";

/**
 * The end comes so long after the pickup. News that arrive late make the pickup look late and the end, too: hence it is not too
 * early when it is not for the trigger, which is the kit's own. Pickups are written in whole seconds.
 */
async function expectDeadline(place: Place, seconds: number, triggeredAt: number): Promise<void> {
  const writes = await place.writes();
  const endAt = listEnds(writes).at(-1)?.at ?? Number.NaN;
  const pickedUpAt = findPickup(writes)?.at ?? Number.NaN;
  const { tolerance } = place.profile.seconds;
  const isEarly = endAt - triggeredAt < (seconds - 1.1) * 1000;
  const isLate = endAt - pickedUpAt > (seconds + tolerance) * 1000;
  const took = `${((endAt - pickedUpAt) / 1000).toFixed(1)} s`;
  const wanted = `the end ${seconds} s after the pickup (at most ${tolerance} s later)`;
  expectThat(!isEarly && !isLate, `DeployItem ${place.namespace}/${itemName}: expected ${wanted}, found ${took}`);
}

export const time: readonly Scenario[] = [
  {
    id: "T1",
    title: "ends a job when spec.timeout is over, neither earlier nor later",
    contract:
      "initTime + spec.timeout is the deadline: Failed with ERR_TIMEOUT (deployers.md §1.1, Progressing timeout)",
    needs: ["timeout", "waits"],
    async run(place) {
      const triggeredAt = performance.now();
      await place.start("waits", { spec: { timeout: "3s" } });
      const ended = await place.waitForEnd("Failed");
      expectField(ended, "status.lastError.codes", listing("ERR_TIMEOUT"));
      await expectDeadline(place, 3, triggeredAt);
    },
  },
  {
    id: "T2",
    title: "takes timeout: none for no deadline",
    contract: "none switches the deadline off; it does not mean at once (deployers.md §0 no. 6, §4 no. 7)",
    isStricter: true,
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
      const triggeredAt = performance.now();
      await place.start("waits", { spec: { timeout: "3s" } });
      await place.waitForPickup();
      // Longer than what is forgiven, so that a deadline that moves along is missed.
      const enough = triggeredAt + (3 + place.profile.seconds.tolerance + 1) * 1000;
      for (let count = 0; performance.now() < enough; count++) {
        const { status } = await place.annotate({ "conformance.test/count": `${count}` });
        if (status?.jobID === status?.jobIDFinished) break;
        await place.sleep(0.3);
      }
      await place.waitForEnd("Failed");
      await expectDeadline(place, 3, triggeredAt);
    },
  },
  {
    id: "T4",
    title: "keeps the deadline of a job that a former process had picked up",
    contract:
      "The time since initTime, or what workedSeconds says, counts also for the process that carries on (docs/deployer-authors.md)",
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
        workedSeconds: 3600,
      });
      const ended = await place.waitForEnd("Failed");
      expectField(ended, "status.lastError.codes", listing("ERR_TIMEOUT"));
    },
  },
  {
    id: "T5",
    title: "starts the next job after one that took too long",
    contract: "The deadline is that of one job, from its own pickup (deployers.md §1.1, Progressing timeout)",
    needs: ["timeout", "waits"],
    async run(place) {
      await place.start("waits", { spec: { timeout: "2s" } });
      await place.waitForEnd("Failed");
      await place.configure("succeeds", { spec: { timeout: "2m" } });
      await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
];
