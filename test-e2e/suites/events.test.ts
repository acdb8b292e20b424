// Events on NATS, compared with a watch of the test, while core and NATS are killed.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  compareResourceVersions,
  resources,
  type DeployItem,
  type Execution,
  type Installation,
  type TransitionEvent,
} from "@landscaper/api";
import { readEvents } from "@landscaper/events";
import { createRandom, describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { countPositions } from "../events/count-positions.ts";
import { listTransitions } from "../events/list-transitions.ts";
import { countFinished, createLandscape, type Landscape } from "../ha/landscape.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import { goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import { recordHistory, type ObjectHistory } from "../src/kits/object-history.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

/** `npm test` takes a fifth of the Installations, and four of the kills. */
const isWhole = isWholeRun("events");
const roots = isWhole ? 150 : 30;
const kills = isWhole ? 10 : 4;
const seed = 58;

describeUnless(programAbsence("nats-server"), describe)("events", () => {
  describe.each(clustersUnderTest())(`of ${roots} Installations on %s`, (cluster) => {
    let environment: Environment;
    let scope: TestNamespace;
    let landscape: Landscape;
    let installations: ObjectHistory<Installation>;
    let executions: ObjectHistory<Execution>;
    let deployItems: ObjectHistory<DeployItem>;

    beforeAll(async () => {
      environment = await startEnvironment({
        cluster,
        services: ["landscaper-core", "mock-deployer"],
        separateTarget: false,
        nats: true,
      });
      scope = await environment.namespace("events");
      const { client } = environment;
      landscape = createLandscape(scope, roots);
      installations = await recordHistory(client, resources.installation, scope.name);
      executions = await recordHistory(client, resources.execution, scope.name);
      deployItems = await recordHistory(client, resources.deployItem, scope.name);
      // The first lists are over: later events are not gaps.
      await waitFor(async () => (await countPositions(nats().url)) === 3);
    });
    afterAll(async () => {
      await Promise.all([installations, executions, deployItems].map(async (history) => history.stop()));
      await environment.stop();
    });

    const nats = (): NonNullable<Environment["nats"]> => {
      if (environment.nats === undefined) throw new Error("NATS does not run");
      return environment.nats;
    };
    async function readAll(): Promise<readonly TransitionEvent[]> {
      const events: TransitionEvent[] = [];
      const options = { servers: nats().url, clientName: "test", namespace: scope.name };
      for await (const event of readEvents(options)) events.push(event);
      return events;
    }

    /** Returns the transitions that the watch of the test saw. */
    const expected = (): Readonly<Record<string, readonly string[]>> =>
      listTransitions([...installations.seen, ...executions.seen, ...deployItems.seen]);

    async function published(): Promise<Readonly<Record<string, readonly string[]>>> {
      const found: Record<string, string[]> = {};
      const ids = new Set<string>();
      for (const { id, data } of await readAll()) {
        if (ids.has(id)) continue;
        ids.add(id);
        const { uid, resourceVersion, phase, jobID = "", jobIDFinished = "", gap = false } = data;
        (found[uid] ??= []).push([resourceVersion, phase, jobID, jobIDFinished, gap ? "gap" : ""].join(" ").trim());
      }
      return found;
    }

    /** Waits until as many events are published as the watch saw. A timeout shows as a difference of the lists. */
    async function settle(): Promise<void> {
      const count = (all: Readonly<Record<string, readonly string[]>>): number => Object.values(all).flat().length;
      await waitFor(async () => {
        const [want, got] = [expected(), await published().catch(() => ({}))];
        return count(got) >= count(want) ? true : undefined;
      }).catch(() => undefined);
    }

    const firstJobs = new Set<string>();
    const finished = (): number => countFinished(installations.current.values(), firstJobs);

    it(`are complete and in order, with ${kills} kills of core and NATS at random moments`, async () => {
      const random = createRandom(seed);
      const creating = landscape.create();
      const core = environment.service("landscaper-core");
      for (let kill = 0; kill < kills; kill++) {
        await new Promise((resolve) => setTimeout(resolve, random() * 3_000));
        if (random() < 0.5) {
          await core.kill();
          await core.start();
        } else {
          await nats().kill();
          await new Promise((resolve) => setTimeout(resolve, random() * 1_000));
          await nats().start();
        }
      }
      await creating;
      await waitFor(() => finished() === roots);
      await settle();
      expect(await published()).toEqual(expected());
      const events = await readAll();
      const ids = events.map(({ id }) => id);
      process.stderr.write(`events on ${cluster}: ${ids.length}\n`);
      // The server drops repeated ids within its duplicate window.
      expect(ids).toEqual([...new Set(ids)]);
    });

    it("name the previous event of their object", async () => {
      const last = new Map<string, string>();
      for (const { data } of await readAll()) {
        const known = last.get(data.uid);
        if (known === data.resourceVersion) continue;
        expect(data.previous).toBe(known);
        expect(compareResourceVersions(known ?? "1", data.resourceVersion)).toBeLessThanOrEqual(0);
        last.set(data.uid, data.resourceVersion);
      }
      expect(last.size).toBeGreaterThanOrEqual(roots);
    });

    it("include deletions that happen while the core is away", async () => {
      const core = environment.service("landscaper-core");
      await scope.client.delete(resources.installation, { namespace: scope.name, name: "root-2" });
      await core.kill();
      await core.start();
      await waitFor(() => !installations.current.has("root-2"));
      await settle();
      expect(await published()).toEqual(expected());
    });

    const absence =
      cluster === "embedded"
        ? isWhole
          ? undefined
          : "10,000 writes are part of npm run e2e -- events"
        : "the real API server keeps changes for five minutes";
    describeUnless(absence, describe)("after a pause that is longer than the history", () => {
      it("are published with a gap for changed and deleted objects, and not published for unchanged ones", async () => {
        const { client } = scope;
        const namespace = scope.name;
        const names = ["changed", "deleted", "same"];
        const write = async (name: string, job: string, phase: string): Promise<void> => {
          // The core adds its finalizer meanwhile.
          await waitFor(async () => {
            const found = await client.get(resources.installation, { namespace, name });
            const status = { ...found.status, phase, jobID: job, jobIDFinished: job, observedGeneration: 1 };
            return await client.updateStatus(resources.installation, { ...found, status });
          });
        };
        for (const name of names) {
          const blueprint = { deployExecutions: goTemplate("deployItems: []\n") };
          await scope.apply(inlineInstallation({ name, blueprint, triggered: false }));
          await write(name, "1", "Succeeded");
        }
        await settle();
        const before = await readAll();
        const core = environment.service("landscaper-core");
        await core.kill();
        await write("changed", "2", "Failed");
        await write("changed", "3", "Succeeded");
        const gone = { namespace, name: "deleted" };
        await client.patch(resources.installation, gone, { type: "merge", body: { metadata: { finalizers: null } } });
        await client.delete(resources.installation, gone);
        await runInParallel(10_100, 16, async (index) => {
          const body = { metadata: { annotations: { "example.com/count": String(index) } } };
          await client.patch(resources.installation, { namespace, name: "same" }, { type: "merge", body });
        });
        await core.start();
        const added = await waitFor(async () => {
          const events = (await readAll()).slice(before.length);
          return events.length >= 2 ? events : undefined;
        });
        const shown = added.map(({ data }) =>
          [data.name, data.phase, data.jobID, data.previousPhase, data.gap].join(" "),
        );
        expect(shown.toSorted()).toEqual(["changed Succeeded 3 Succeeded true", "deleted Deleted 1 Succeeded true"]);
        expect(await core.metrics()).toMatch(/^landscaper_events_gaps_total 2$/m);
      });
    });
  });
});
