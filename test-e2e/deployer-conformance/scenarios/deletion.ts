import { deleteWithoutUninstall, finalizer } from "../../src/kits/contract-names.ts";
import { containing, equal, expectField, expectThat, listing, oneOf } from "../expectations.ts";
import { itemName, targetName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";

const deleting = oneOf("InitDelete", "Deleting");

export const deletion: readonly Scenario[] = [
  {
    id: "D1",
    title: "does nothing about a deletion before its job comes",
    contract: "The deletion timestamp alone triggers nothing: a new jobID is needed (deployers.md §3.1, §4 no. 1)",
    needs: [],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.remove();
      await place.expectQuiet("the deletion has no job yet");
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "D2",
    title: "uninstalls with the job of the deletion, and lets the item go",
    contract: "It uninstalls the artefacts, and if this was successful removes the finalizer (seed-002, 4)",
    needs: [],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.uninstall();
      await place.waitUntilGone();
      await place.expectUninstalled("succeeds");
      const started = (await place.writes()).find(({ after }) => deleting.holds(after.status?.phase));
      expectThat(
        started !== undefined,
        `DeployItem ${place.namespace}/${itemName}, status.phase: expected ${deleting.words} before the item goes, found none`,
      );
    },
  },
  {
    id: "D3",
    title: "gives an item the finalizer before it touches anything",
    contract: "Without it nobody uninstalls; the deployer adds it again (deployers.md §1.1, Finalizer)",
    needs: ["succeeds.effects"],
    async run(place) {
      const lives = await Promise.all(place.effectsOf("succeeds").map(async (effect) => place.follow(effect)));
      await place.start("succeeds", { hasFinalizer: false });
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "metadata.finalizers", listing(finalizer));
      const writes = await place.writes();
      const added = writes.find(({ after }) => after.metadata.finalizers?.includes(finalizer));
      for (const life of lives) {
        const born = await life.born();
        const isFirst = place.landscape.isOneCluster
          ? BigInt(added?.after.metadata.resourceVersion ?? "0") < (born?.version ?? 0n)
          : (added?.at ?? Number.POSITIVE_INFINITY) < (born?.at ?? 0) + 500;
        expectThat(
          isFirst,
          `DeployItem ${place.namespace}/${itemName}, metadata.finalizers: expected ${finalizer} before the first effect, found it after`,
        );
      }
    },
  },
  {
    id: "D4",
    title: "keeps the finalizer as long as anything is left",
    contract: "The finalizer goes when the uninstallation was successful (seed-002, 4 and Status)",
    needs: ["uninstall", "succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.hold("succeeds", true);
      await place.uninstall();
      await place.waitFor("status.phase", deleting);
      await place.sleep(place.profile.seconds.quiet);
      const item = await place.api.find("DeployItem", itemName);
      expectThat(
        item !== undefined,
        `DeployItem ${place.namespace}/${itemName}: expected to be there while an effect is not gone, found it gone`,
      );
      expectField(item, "metadata.finalizers", listing(finalizer));
      expectField(item, "status.phase", deleting);
      await place.hold("succeeds", false);
      await place.waitUntilGone();
      await place.expectUninstalled("succeeds");
    },
  },
  {
    id: "D5",
    title: "removes only the finalizer when the item says so",
    contract: "delete-without-uninstall: remove the finalizer without uninstalling the artefacts (seed-002, 4)",
    needs: ["uninstall", "succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.annotate(deleteWithoutUninstall);
      await place.uninstall();
      await place.waitUntilGone();
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "D6",
    title: "fails a deletion whose Target is gone, by its name, and ends it when the Target is back",
    contract: "DeleteFailed with a clear reason; recreated Target and a new job: gone (deployers.md §5 A20)",
    needs: ["target"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.api.delete("Target", targetName);
      // A deployer may read Targets from a cache, which follows a moment later.
      await place.sleep(place.profile.seconds.tolerance);
      await place.uninstall();
      const failed = await place.waitForEnd("DeleteFailed");
      expectField(failed, "status.lastError.message", containing(targetName));
      await place.createTarget();
      await place.trigger();
      await place.waitUntilGone();
      await place.expectUninstalled("succeeds");
    },
  },
  {
    id: "D7",
    title: "fails a deletion that takes too long, and goes on with the next job",
    contract: "DeleteFailed with ERR_TIMEOUT after spec.timeout (core.md §2.7, §2.8)",
    needs: ["timeout", "uninstall", "succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.hold("succeeds", true);
      await place.configure("succeeds", { spec: { timeout: "2s" } });
      await place.uninstall();
      const failed = await place.waitForEnd("DeleteFailed");
      expectField(failed, "status.lastError.codes", listing("ERR_TIMEOUT"));
      await place.hold("succeeds", false);
      // Long enough for any machine.
      await place.configure("succeeds", { spec: { timeout: "2m" } });
      await place.trigger();
      await place.waitUntilGone();
    },
  },
  {
    id: "D8",
    title: "removes its own finalizer and nobody else's",
    contract: "Finalizers of others are theirs (seed-002, Status: the finalizers of the deploy item)",
    needs: [],
    async run(place) {
      const keeper = "conformance.test/keep";
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.patch({ metadata: { finalizers: [finalizer, keeper] } });
      await place.uninstall();
      const kept = await place.waitFor("metadata.finalizers", equal([keeper]));
      expectField(kept, "metadata.finalizers", equal([keeper]));
      await place.patch({ metadata: { finalizers: [] } });
      await place.waitUntilGone();
    },
  },
  {
    id: "D9",
    title: "takes for uninstalled what somebody else has removed before",
    contract: "Uninstalled is what is not there (deployers.md §3.5); deletions are repeated",
    needs: ["succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.removeEffects("succeeds");
      await place.uninstall();
      await place.waitUntilGone();
    },
  },
  {
    id: "D10",
    title: "deletes an item whose job has failed",
    contract: "A deletion may start after Failed (deployers.md §1.1, Start condition)",
    needs: ["fails"],
    async run(place) {
      await place.start("fails");
      await place.waitForEnd("Failed");
      await place.uninstall();
      await place.waitUntilGone();
      await place.expectUninstalled("fails");
    },
  },
  {
    id: "D11",
    title: "deletes an item whose configuration it has refused",
    contract: "What cannot be installed can be deleted: its status says what there is (deployers.md §3.5)",
    isStricter: true,
    needs: ["invalid"],
    async run(place) {
      await place.start("invalid");
      await place.waitForEnd("Failed");
      await place.uninstall();
      await place.waitUntilGone();
    },
  },
  {
    id: "D12",
    title: "lets an item go that no job has ever reached",
    contract: "A deletion starts from an empty phase, too (deployers.md §1.1, Start condition)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      await place.uninstall();
      await place.waitUntilGone();
    },
  },
  {
    id: "D13",
    title: "needs no Target where nothing is to be uninstalled",
    contract: "Target gone, but delete-without-uninstall: the item goes (deployers.md §5 A20)",
    isStricter: true,
    needs: ["target"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.api.delete("Target", targetName);
      await place.annotate(deleteWithoutUninstall);
      await place.uninstall();
      await place.waitUntilGone();
    },
  },
];
