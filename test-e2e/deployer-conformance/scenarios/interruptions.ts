import { finalizer } from "../../src/kits/contract-names.ts";
import { equal, expectField, expectThat, listing, oneOf } from "../expectations.ts";
import { interruption } from "../landscaper.ts";
import type { Place } from "../place.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { listEnds } from "./job-writes.ts";

/** News of an item and news of other objects may reach a deployer in another order than they were made. */
const passTime = async (place: Place): Promise<void> => place.sleep(place.profile.seconds.tolerance);

export const interruptions: readonly Scenario[] = [
  {
    id: "I1",
    title: "respects an interrupt: reports no end of a job that was ended from outside",
    contract:
      "The Landscaper sets jobIDFinished and Failed; the job is over then (deployers.md §1.1, interrupt; §4 no. 10)",
    needs: ["waits"],
    async run(place) {
      await place.start("waits");
      await place.waitForPickup();
      const interrupted = await place.interrupt();
      await place.expectNoReport("the job was interrupted");
      const item = await place.api.get("DeployItem", itemName);
      for (const field of ["status.phase", "status.jobIDFinished", "status.lastError.reason"]) {
        const wanted: unknown = field
          .split(".")
          .reduce<unknown>((at, key) => Reflect.get(Object(at), key), interrupted);
        expectField(item, field, equal(wanted));
      }
    },
  },
  {
    id: "I2",
    title: "ends its work with an interrupt: what would have come later does not come",
    contract: "An interrupt cancels the work, not only its report (deployers.md §1.1, interrupt; §4 no. 11)",
    needs: ["slow.lateEffects"],
    async run(place) {
      await place.start("slow");
      await place.waitForPickup();
      await place.waitForEffects("slow");
      await place.interrupt();
      await passTime(place);
      await place.release("slow");
      await place.sleep(place.profile.seconds.quiet);
      await place.expectNoEffects("slow", "the job was interrupted before", { which: "lateEffects" });
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.waitForEffects("slow", { which: "lateEffects" });
    },
  },
  {
    id: "I3",
    title: "starts the next job after an interrupt",
    contract: "An interrupt frees the item for another job (deployers.md §5 A19)",
    needs: ["waits"],
    async run(place) {
      await place.start("waits");
      await place.waitForPickup();
      await place.interrupt();
      await place.configure("succeeds");
      await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
  {
    id: "I4",
    title: "respects an interrupt of a deletion: keeps the item until the next job",
    contract: "Unfinished items get DeleteFailed when they are being deleted (core.md §2.7, interrupt)",
    needs: ["uninstall", "succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.hold("succeeds", true);
      await place.uninstall();
      await place.waitFor("status.phase", oneOf("InitDelete", "Deleting"));
      await place.interrupt();
      await passTime(place);
      await place.hold("succeeds", false);
      await place.expectQuiet("the deletion was interrupted");
      const item = await place.api.get("DeployItem", itemName);
      expectField(item, "metadata.finalizers", listing(finalizer));
      await place.trigger();
      await place.waitUntilGone();
    },
  },
  {
    id: "I5",
    title: "respects an end under another job ID",
    contract:
      "Interrupted items get jobID and jobIDFinished of their Execution's job, whichever they had (core.md §2.7, interrupt)",
    needs: ["waits"],
    async run(place) {
      await place.start("waits");
      await place.waitForPickup();
      const other = { jobID: "conformance-other", jobIDFinished: "conformance-other", phase: "Failed" };
      await place.writeStatus(() => ({ ...other, lastError: interruption() }));
      await place.expectNoReport("the job was interrupted");
      await place.configure("succeeds");
      await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
  {
    id: "X1",
    title: "ends the job that it had in work when its process was killed, once",
    contract: "Everything that a deployer needs to go on is in the item (deployers.md §3.1, §4 no. 8)",
    needs: ["restart", "slow"],
    isAlone: true,
    async run(place) {
      const jobID = await place.start("slow");
      await place.waitForPickup();
      await place.landscape.restart?.();
      await place.release("slow");
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.jobIDFinished", equal(jobID));
      const ends = listEnds(await place.writes());
      expectThat(
        ends.length === 1,
        `DeployItem ${place.namespace}/${itemName}: expected one end, found ${ends.length}`,
      );
    },
  },
];
