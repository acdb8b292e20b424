import { containing, expectField, expectThat } from "../expectations.ts";
import { fillIn } from "../placeholders.ts";
import type { Place } from "../place.ts";
import { itemName, targetName, wordsOf } from "../scene.ts";
import type { Scenario } from "../scenario.ts";

const accessSecret = "access-data";
const access = { secretRef: { name: accessSecret, key: "config" } };

async function createAccessSecret(place: Place): Promise<void> {
  const config = fillIn(place.profile.target?.config, wordsOf(place, targetName));
  const stringData = { config: JSON.stringify(config) };
  await place.api.create({ apiVersion: "v1", kind: "Secret", metadata: { name: accessSecret }, stringData });
}

export const targets: readonly Scenario[] = [
  {
    id: "G1",
    title: "fails a job whose Target does not exist, by its name",
    contract: "A missing Target ends the job, and lastError names it (deployers.md §1.1, Missing target)",
    needs: ["target"],
    async run(place) {
      await place.create("succeeds");
      await place.trigger();
      const failed = await place.waitForEnd("Failed");
      expectField(failed, "status.lastError.message", containing(targetName));
    },
  },
  {
    id: "G2",
    title: "runs the next job of an item whose Target has come",
    contract: "The Target of the item's namespace counts, as it is now (deployers.md §1.1, Responsibility)",
    needs: ["target"],
    async run(place) {
      await place.create("succeeds");
      await place.trigger();
      await place.waitForEnd("Failed");
      await place.createTarget();
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "G3",
    title: "tells of a Target that nobody can use, by its name",
    contract: "The cause stands in lastError, although the Target cannot be resolved (deployers.md §4 no. 5)",
    isStricter: true,
    needs: ["accessData", "clusterAccess", "target.unusable"],
    async run(place) {
      const { unusable } = fillIn(place.profile.target ?? { unusable: {} }, wordsOf(place, targetName));
      await place.createTarget({ access: { config: unusable } });
      await place.start("succeeds");
      await place.waitFor("status.lastError.message", containing(targetName));
    },
  },
  {
    id: "G4",
    title: "takes access data from a Secret that the Target names",
    contract: "secretRef with a key: this entry has the configuration (deployers.md §2.6)",
    needs: ["target", "accessData"],
    async run(place) {
      await createAccessSecret(place);
      await place.createTarget({ access });
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "G5",
    title: "tells of a Secret of the Target that is not there, and goes on when it comes",
    contract: "What is wrong with access data stands in lastError; Secrets come and go (deployers.md §4 no. 5)",
    isStricter: true,
    needs: ["target", "accessData"],
    async run(place) {
      await place.createTarget({ access });
      await place.start("succeeds");
      await place.waitFor("status.lastError.message", containing(accessSecret));
      await createAccessSecret(place);
      const { status } = await place.api.get("DeployItem", itemName);
      // Whether it tries again by itself is its own decision.
      if (status?.jobID === status?.jobIDFinished) await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
  {
    id: "G6",
    title: "leaves items to another instance whose Target is another's",
    contract: "The target determines which of several deployers of a type handles an item (seed-002, Spec and 2)",
    needs: ["target.otherwise"],
    async run(place) {
      const { name = targetName, ...marks } = place.profile.target?.otherwise ?? {};
      await place.createTarget({ name, ...marks });
      await place.start("succeeds", { spec: { target: { name, namespace: place.namespace } } });
      await place.expectQuiet("its Target is another instance's");
      const writes = await place.writes();
      expectThat(
        writes.length === 0,
        `DeployItem ${place.namespace}/${itemName} with the Target of another instance: was written`,
      );
      await place.expectNoEffects("succeeds", "its Target is another instance's");
    },
  },
];
