import { deployerTargetName, deployerType } from "../../src/kits/contract-names.ts";
import { describe, equal, expectField, expectThat, show } from "../expectations.ts";
import { now } from "../landscaper.ts";
import { startOtherDeployer } from "../other-deployer.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";

/** Jobs of items beside others, with any name, and with whatever was left of the past. */
export const circumstances: readonly Scenario[] = [
  {
    id: "J18",
    title: "works on many items side by side, each under its own job",
    contract: "Each item is a unit of its own (seed-002, Structure of a Deploy Item)",
    needs: [],
    async run(place) {
      await place.createTarget();
      const names = Array.from({ length: 10 }, (_, index) => `item-${index}`);
      await Promise.all(names.map(async (name) => place.start("succeeds", { name })));
      for (const name of names) await place.waitForEnd("Succeeded", name);
      for (const name of names) await place.expectEffects("succeeds", { name });
    },
  },
  {
    id: "J19",
    title: "takes names of any length",
    contract:
      "Names have up to 253 characters, generated ones easily more than a label value takes (deployers.md §4 no. 29)",
    isStricter: true,
    needs: [],
    async run(place) {
      const name = `${"long-".repeat(24)}name`;
      await place.start("succeeds", { name });
      await place.waitForEnd("Succeeded", name);
      await place.expectEffects("succeeds", { name });
      await place.uninstall(name);
      await place.waitUntilGone(name);
    },
  },
  {
    id: "J20",
    title: "keeps items of one name in two namespaces apart",
    contract: "Items of tenants have nothing to do with each other (deployers.md §0 no. 7, §4 no. 14)",
    needs: ["succeeds.effects"],
    async run(place) {
      const other = await place.another();
      for (const each of [place, other]) {
        await each.start("succeeds");
        await each.waitForEnd("Succeeded");
        await each.expectEffects("succeeds");
      }
      await other.uninstall();
      await other.waitUntilGone();
      await place.expectEffects("succeeds");
      expectField(await place.api.get("DeployItem", itemName), "status.phase", equal("Succeeded"));
      await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
  {
    id: "J21",
    title: "carries on a job that a former process had in work",
    contract: "Differing job IDs and any other phase mean to continue (deployers.md §1.1, Start condition)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      const time = now();
      const jobID = await place.trigger(itemName, {
        phase: "Progressing",
        observedGeneration: 1,
        lastReconcileTime: time,
        deployer: { identity: "conformance-former", name: "conformance", version: "v0" },
        transitionTimes: { triggerTime: time, initTime: time },
      });
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.jobIDFinished", equal(jobID));
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "J22",
    title: "starts a job whatever final phase the last one has left",
    contract: "phase is empty, Succeeded, Failed or DeleteFailed: it may start (deployers.md §1.1, Start condition)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      const error = {
        operation: "WaitingForPickup",
        reason: "PickupTimeout",
        message: "no deployer has reconciled it",
      };
      const time = now();
      const lastError = { ...error, codes: ["ERR_TIMEOUT"], lastTransitionTime: time, lastUpdateTime: time };
      for (const phase of ["Failed", "DeleteFailed", "Succeeded"]) {
        const old = { jobID: "conformance-old", jobIDFinished: "conformance-old" };
        await place.writeStatus(() => ({ ...old, phase, lastError: phase === "Succeeded" ? undefined : lastError }));
        await place.trigger();
        await place.waitForEnd("Succeeded");
      }
    },
  },
  {
    id: "J23",
    title: "signals each pickup anew, not only the first",
    contract:
      "Picked up is what has a lastReconcileTime not before jobIDGenerationTime (deployers.md §1.1, Pickup timeout)",
    needs: [],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      // Both times have whole seconds.
      await place.sleep(1.1);
      const triggered = now();
      await place.trigger();
      const ended = await place.waitForEnd("Succeeded");
      const { lastReconcileTime = "" } = ended.status ?? {};
      const isAnew = Date.parse(lastReconcileTime) >= Date.parse(triggered);
      const wanted = `expected a time from jobIDGenerationTime ${triggered} on`;
      expectThat(isAnew, `${describe(ended)}, status.lastReconcileTime: ${wanted}, found ${show(lastReconcileTime)}`);
    },
  },
  {
    id: "J24",
    title: "knows its items by spec.type, whether they have the Landscaper's annotations or not",
    contract:
      "The type is in spec.type; the annotation deployer-type may be absent (seed-002, 1; deployers.md §1.1, Type pre-filter)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      await place.annotate({ [deployerType]: null, [deployerTargetName]: null });
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "J25",
    title: "leaves alone what another live deployer has in work, and carries on when that one has ended",
    contract:
      "While a holder's Lease lives, only the holder writes for what it has in work (docs/deployer-authors.md, Which deployer works on an item)",
    needs: ["leases"],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      const other = await startOtherDeployer(place);
      try {
        const time = now();
        await place.trigger(itemName, {
          phase: "Progressing",
          observedGeneration: 1,
          lastReconcileTime: time,
          deployer: { identity: other.holder, name: "conformance", version: "v0" },
          transitionTimes: { triggerTime: time, initTime: time },
        });
        await place.expectQuiet("another deployer has it in work, whose Lease lives");
        await other.end();
        await place.waitForEnd("Succeeded");
        await place.expectEffects("succeeds");
      } finally {
        await other.remove();
      }
    },
  },
];
