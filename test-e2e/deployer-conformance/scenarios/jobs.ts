import { equal, expectField, expectThat, listing, oneOf, present, timestamp } from "../expectations.ts";
import { operation } from "../../src/kits/contract-names.ts";
import { itemName } from "../scene.ts";
import type { Scenario } from "../scenario.ts";
import { findPickup, listEnds } from "./job-writes.ts";

const installing = oneOf("Init", "Progressing", "Processing");

export const jobs: readonly Scenario[] = [
  {
    id: "J1",
    title: "signals the pickup of a job: a phase, lastReconcileTime and who it is",
    contract:
      "It sets phase and lastReconcileTime, thereby telling that it has picked the item up (seed-002, Status and 4)",
    needs: [],
    async run(place) {
      const before = Math.floor(Date.now() / 1000) * 1000;
      const jobID = await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      const pickup = findPickup(await place.writes());
      expectThat(
        pickup !== undefined,
        `DeployItem ${place.namespace}/${itemName}, status.phase: expected ${installing.words} before the end, found none`,
      );
      const { after } = pickup;
      expectField(after, "status.phase", installing);
      expectField(after, "status.jobID", equal(jobID));
      expectField(after, "status.lastReconcileTime", timestamp);
      const isRecent = Date.parse(after.status?.lastReconcileTime ?? "") >= before;
      expectThat(
        isRecent,
        `status.lastReconcileTime: expected the time of the pickup, found ${after.status?.lastReconcileTime}`,
      );
      for (const field of ["identity", "name", "version"]) expectField(after, `status.deployer.${field}`, present);
    },
  },
  {
    id: "J2",
    title: "signals the pickup before it touches anything",
    contract: "First it signals the pickup, then it does its magic (seed-002, 4; deployers.md §4 no. 2)",
    needs: ["succeeds.effects"],
    async run(place) {
      const lives = await Promise.all(place.effectsOf("succeeds").map(async (effect) => place.follow(effect)));
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      const pickup = findPickup(await place.writes());
      const version = BigInt(pickup?.after.metadata.resourceVersion ?? "0");
      for (const life of lives) {
        const born = await life.born();
        expectThat(born !== undefined, `effects of items.succeeds: expected all at the end of the job, found none`);
        // Versions of two clusters cannot be compared; then the arrival of the news has to do.
        const isFirst = place.landscape.isOneCluster
          ? version < born.version
          : (pickup?.at ?? Number.POSITIVE_INFINITY) < born.at + 500;
        expectThat(
          isFirst && pickup !== undefined,
          `DeployItem ${place.namespace}/${itemName}: expected the pickup before the first effect, found the effect at version ${born.version}, the pickup at ${pickup === undefined ? "none" : version}`,
        );
      }
    },
  },
  {
    id: "J3",
    title: "ends a job with the generation that it worked on",
    contract:
      "observedGeneration is set with the pickup (core.md §2.7); it tells users whether their change is deployed",
    needs: ["changed"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.configure("changed");
      await place.trigger();
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.observedGeneration", equal(ended.metadata.generation));
    },
  },
  {
    id: "J4",
    title: "does nothing for an item that has no job yet",
    contract: "It may process an item only if jobID is not equal to jobIDFinished (seed-002, 3)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds");
      await place.expectQuiet("the item has no job");
      await place.expectNoEffects("succeeds", "the item has no job");
    },
  },
  {
    id: "J5",
    title: "does nothing without a new job, whatever is changed",
    contract: "It may process an item only if jobID is not equal to jobIDFinished (seed-002, 3)",
    needs: ["changed"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.annotate({ "conformance.test/note": "changed" });
      await place.configure("changed");
      await place.expectQuiet("jobID equals jobIDFinished");
      await place.expectNoEffects("changed", "jobID equals jobIDFinished");
    },
  },
  {
    id: "J6",
    title: "leaves items of other types alone",
    contract: "It must never modify an item of another type in any way (seed-002, 1)",
    needs: [],
    async run(place) {
      await place.createTarget();
      await place.create("succeeds", { name: "foreign", spec: { type: `${place.profile.type}-of-nobody` } });
      await place.trigger("foreign");
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.expectQuiet("its type is another one", "foreign");
      const [write] = await place.writes("foreign");
      expectThat(
        write === undefined,
        `DeployItem ${place.namespace}/foreign of type ${place.profile.type}-of-nobody: was written`,
      );
    },
  },
  {
    id: "J7",
    title: "runs again with each new job",
    contract: "If jobID differs and the phase is final, it is allowed to process the item (seed-002, Status)",
    needs: [],
    async run(place) {
      const ids = [await place.start("succeeds")];
      await place.waitForEnd("Succeeded");
      for (let count = 1; count < 4; count++) {
        ids.push(await place.trigger());
        await place.waitForEnd("Succeeded");
      }
      const ends = listEnds(await place.writes()).map(({ after }) => after.status?.jobIDFinished);
      expectThat(
        ends.join() === ids.join(),
        `DeployItem ${place.namespace}/${itemName}, status.jobIDFinished: expected one end of each of ${ids.length} jobs, found ${ends.length}`,
      );
    },
  },
  {
    id: "J8",
    title: "works again with a new job: what was lost is there again",
    contract: "A job is a request to bring about what the item describes (seed-002, Status and 4)",
    needs: ["succeeds.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.expectEffects("succeeds");
      await place.removeEffects("succeeds");
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("succeeds");
    },
  },
  {
    id: "J9",
    title: "brings about what a changed item describes, with the next job",
    contract: "The content of spec.config is read and evaluated by the deployer (seed-002, Spec)",
    needs: ["changed.effects"],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.configure("changed");
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("changed");
    },
  },
  {
    id: "J10",
    title: "fails a job that cannot succeed, and succeeds with the next one that can",
    contract: "If it has given up, phase is Failed with lastError, and jobIDFinished the value of jobID (seed-002, 5)",
    needs: ["fails"],
    async run(place) {
      await place.start("fails");
      await place.waitForEnd("Failed");
      await place.configure("succeeds");
      await place.trigger();
      await place.waitForEnd("Succeeded");
    },
  },
  {
    id: "J11",
    title: "keeps the errors of a job: the first one and the last ones",
    contract:
      "firstError since the job started; lastErrors, the last one among them (deployers.md §1.1, Error history)",
    needs: ["fails", "errorHistory"],
    async run(place) {
      await place.start("fails");
      const { status = {}, ...ended } = await place.waitForEnd("Failed");
      const list = status["lastErrors"];
      const messages = Array.isArray(list) ? list.map((error) => Reflect.get(Object(error), "message") as unknown) : [];
      const named = { ...ended, status: { ...status, messages } };
      expectField(named, "status.firstError.message", present);
      expectField(named, "status.messages", listing(status.lastError?.message));
    },
  },
  {
    id: "J12",
    title: "refuses a configuration that nobody can mend at once, and does nothing of it",
    contract: "ERR_CONFIGURATION_PROBLEM ends a job; it is not tried again (deployers.md §1.1, Errors/retries)",
    isStricter: true,
    needs: ["invalid"],
    async run(place) {
      await place.start("invalid");
      const ended = await place.waitForEnd("Failed");
      expectField(ended, "status.lastError.codes", listing("ERR_CONFIGURATION_PROBLEM"));
      await place.expectNoEffects("invalid", "the configuration is refused");
    },
  },
  {
    id: "J13",
    title: "goes on after an error that can pass, and tells of it meanwhile",
    contract: "Errors that can be mended are in lastError while the job goes on (deployers.md §1.1, Errors/retries)",
    needs: ["retries", "mends"],
    async run(place) {
      const jobID = await place.start("mends");
      const failing = await place.waitFor("status.lastError", present);
      expectField(failing, "status.phase", installing);
      await place.release("mends");
      const ended = await place.waitForEnd("Succeeded");
      expectField(ended, "status.jobIDFinished", equal(jobID));
      const ends = listEnds(await place.writes());
      expectThat(
        ends.length === 1,
        `DeployItem ${place.namespace}/${itemName}: expected one end of the job, found ${ends.length}`,
      );
    },
  },
  {
    id: "J14",
    title: "writes nothing any more when a job has succeeded",
    contract: "Only while jobID differs from jobIDFinished there is something to do (seed-002, 3)",
    needs: [],
    async run(place) {
      await place.start("succeeds");
      await place.waitForEnd("Succeeded");
      await place.expectQuiet("the job has succeeded");
    },
  },
  {
    id: "J15",
    title: "writes nothing any more when a job has failed",
    contract: "If it has given up trying, the job is over (seed-002, 5)",
    needs: ["fails"],
    async run(place) {
      await place.start("fails");
      await place.waitForEnd("Failed");
      await place.expectQuiet("the job has failed");
    },
  },
  {
    id: "J16",
    title: "acknowledges a job of an unchanged item that wants no work then",
    contract: "updateOnChangeOnly: unchanged and Succeeded means jobIDFinished is set without work (deployers.md §1.1)",
    needs: ["updateOnChangeOnly", "succeeds.effects", "changed.effects"],
    async run(place) {
      const spec = { updateOnChangeOnly: true };
      await place.start("succeeds", { spec });
      await place.waitForEnd("Succeeded");
      await place.removeEffects("succeeds");
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectNoEffects("succeeds", "updateOnChangeOnly, and nothing was changed");
      await place.configure("changed", { spec });
      await place.trigger();
      await place.waitForEnd("Succeeded");
      await place.expectEffects("changed");
    },
  },
  {
    id: "J17",
    title: "runs an item by the annotation test-reconcile, once, under a job ID of its own",
    contract:
      "The annotation is removed, the item gets a new job ID and is run, whatever updateOnChangeOnly says (deployers.md §1.1)",
    needs: ["testReconcile", "succeeds.effects"],
    async run(place) {
      const jobID = await place.start("succeeds", { spec: { updateOnChangeOnly: true } });
      await place.waitForEnd("Succeeded");
      await place.removeEffects("succeeds");
      await place.annotate({ [operation]: "test-reconcile" });
      await place.waitForEffects("succeeds");
      const hasEnded = {
        words: "a finished job of another ID",
        holds: (status: unknown) => {
          const found = Object(status) as Partial<Record<string, string>>;
          return found["jobID"] !== jobID && found["jobIDFinished"] === found["jobID"];
        },
      };
      const ended = await place.waitFor("status", hasEnded);
      expectField(ended, "status.phase", equal("Succeeded"));
      const annotations = ended.metadata.annotations ?? {};
      expectThat(
        !(operation in annotations),
        `${ended.metadata.name}: expected the annotation ${operation} to be removed`,
      );
      await place.expectQuiet("the operation is done");
    },
  },
];
