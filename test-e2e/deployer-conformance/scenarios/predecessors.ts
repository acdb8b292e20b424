import { gzipSync } from "node:zlib";
import { equal, expectField, expectThat } from "../expectations.ts";
import { now } from "../landscaper.ts";
import type { Place } from "../place.ts";
import { fillIn } from "../placeholders.ts";
import type { Predecessor } from "../profile.ts";
import { itemName, wordsOf } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { describePlace } from "../target-objects.ts";

const contract =
  "Deployers of the original and others work on the same items, one after the other (docs/compatibility.md)";

const formerJob = "4f0c5a3e-2c53-4d0a-8f2e-6f1f0f6f3c11";

/** Replaces each `{gzippedJSON: VALUE}` with the base64 of its gzipped JSON. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, field]: [string, unknown]) => [key, encode(field)] as const);
  const [[key, content] = []] = fields;
  if (key === "gzippedJSON") return gzipSync(JSON.stringify(content)).toString("base64");
  return Object.fromEntries(fields);
}

/** Creates the state after a job of the predecessor with `items.inherits`: Target, item, and objects. */
async function leave(place: Place, predecessor: Predecessor): Promise<void> {
  const { deployer, status, objects = [] } = fillIn(predecessor, wordsOf(place, itemName));
  await place.createTarget();
  await place.create("inherits");
  for (const { manager, resource, object } of objects) {
    await place.landscape.targetObjects.create({ resource, object: encode(object) as typeof object }, manager);
  }
  const time = now();
  await place.writeStatus(({ metadata }) => ({
    phase: "Succeeded",
    jobID: formerJob,
    jobIDFinished: formerJob,
    observedGeneration: metadata.generation,
    jobIDGenerationTime: time,
    lastReconcileTime: time,
    transitionTimes: { triggerTime: time, initTime: time, finishedTime: time },
    deployer,
    ...status,
  }));
}

/** Runs a scenario for each predecessor, each in its own namespace. */
async function forEach(place: Place, run: (place: Place) => Promise<void>): Promise<void> {
  for (const predecessor of place.profile.predecessors ?? []) {
    const own = await place.another();
    await leave(own, predecessor);
    await run(own);
  }
}

export const predecessors: readonly Scenario[] = [
  {
    id: "P1",
    title: "takes over the objects of another deployer with the first job",
    contract,
    needs: ["predecessors", "inherits.effects"],
    async run(place) {
      await forEach(place, async (own) => {
        const jobID = await own.trigger();
        const ended = await own.waitForEnd("Succeeded");
        expectField(ended, "status.jobIDFinished", equal(jobID));
        await own.expectEffects("inherits");
      });
    },
  },
  {
    id: "P2",
    title: "uninstalls the objects of another deployer",
    contract,
    needs: ["predecessors", "uninstall", "inherits.effects"],
    async run(place) {
      await forEach(place, async (own) => {
        await own.uninstall();
        await own.waitUntilGone();
        for (const object of own.effectsOf("inherits")) {
          const found = await own.landscape.targetObjects.find(object);
          expectThat(found === undefined, `${describePlace(object)}: expected to be gone with its item, found it`);
        }
      });
    },
  },
];
