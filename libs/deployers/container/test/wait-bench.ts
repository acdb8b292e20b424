import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { joinChunks } from "../src/state/join-chunks.ts";
import { restoreState } from "../src/state/restore-state.ts";
import { listTree } from "./folder-tree.ts";
import { readIndex, readSecrets, startWaitFixture, type TestRun, type WaitFixture } from "./wait-fixture.ts";

interface Options {
  readonly stateBytes?: number;
}

/** Runs of wait in the tests of a file: they share one cluster, and are removed after each test. */
export interface WaitBench {
  readonly fixture: WaitFixture;
  /** The first run of an item in a namespace of its own. */
  readonly firstRun: (options?: Options) => Promise<TestRun>;
  readonly nextRun: (namespace: string, jobID: string, options?: Options) => Promise<TestRun>;
  readonly secretsOf: (run: TestRun) => ReturnType<typeof readSecrets>;
  readonly indexOf: (run: TestRun) => ReturnType<typeof readIndex>;
  /** Names of files in the state that the index of the run's namespace makes valid. Throws when it is damaged. */
  readonly stateOf: (run: TestRun) => Promise<readonly string[] | undefined>;
}

export function useWaitBench(): WaitBench {
  let fixture: WaitFixture;
  const runs: TestRun[] = [];
  let namespaces = 0;
  beforeAll(async () => {
    fixture = await startWaitFixture();
  }, 60_000);
  afterAll(() => fixture.stop());
  afterEach(() => {
    fixture.cluster.server.setFault(undefined);
    for (const run of runs.splice(0)) run.remove();
  });
  const bench: WaitBench = {
    get fixture() {
      return fixture;
    },
    async firstRun(options) {
      namespaces += 1;
      const namespace = `pods-${namespaces}`;
      await fixture.cluster.createNamespace(namespace);
      return await bench.nextRun(namespace, "job-1", options);
    },
    async nextRun(namespace, jobID, options) {
      const run = await fixture.newRun({ ...options, namespace, jobID });
      runs.push(run);
      return run;
    },
    secretsOf: async ({ namespace }) => await readSecrets(fixture.cluster.client, namespace),
    indexOf: async ({ namespace }) => await readIndex(fixture.cluster.client, namespace),
    async stateOf(run) {
      const index = await bench.indexOf(run);
      if (index === undefined) return undefined;
      const secrets = await bench.secretsOf(run);
      const archive = joinChunks(index, async (name) => secrets.get(name)?.content["config"]);
      const folder = join(run.paths.shared, "restored");
      await restoreState(archive, { folder, limits: { bytes: index.bytes, entries: 1000 } });
      const found = listTree(folder).map(({ path }) => path);
      rmSync(folder, { recursive: true });
      return found;
    },
  };
  return bench;
}
