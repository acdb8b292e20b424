// How long wait takes to keep a state, and init to restore it, beside writing and reading the same Secrets.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { kubeResources, type Pod, type Secret } from "@landscaper/api";
import {
  containerPaths,
  environmentOf,
  parseStateIndex,
  runInit,
  runWait,
  stateChunkCount,
  type ContainerName,
  type JobFile,
} from "@landscaper/container-deployer-lib";
import { createSystemClock } from "@landscaper/controller-runtime";
import { percentile } from "../measure/percentile.ts";
import { itemSpec, type ContainerPlace } from "./container-place.ts";
import { openRawConnection } from "./raw-jobs.ts";
import { timeOf } from "../measure/time-of.ts";

export interface StateSpeed {
  /** Medians of the rounds. */
  readonly saveMs: number;
  readonly restoreMs: number;
  readonly rawWriteMs: number;
  readonly rawReadMs: number;
}

const mebibyte = 1024 * 1024;
/** Random, so that nothing is compressed away. */
const fileCount = 20;
const stateBytes = 64 * mebibyte;
const item = { namespace: "bench-containers", name: "state" };

interface Round {
  readonly place: ContainerPlace;
  readonly number: number;
  /** Files of the job. */
  readonly folder: string;
}

function jobOf({ number }: Round, restore?: NonNullable<JobFile["state"]["restore"]>): JobFile {
  const name = `bench-state-${number}`;
  return {
    version: 1,
    pod: name,
    suffix: `round${number}`,
    graceSeconds: 300,
    operation: "RECONCILE",
    state: {
      ...(restore && { restore }),
      index: { name: `${name}-index` },
      chunks: Array.from({ length: stateChunkCount(stateBytes) }, (_, chunk) => `${name}-${chunk}`),
    },
    exports: { name: `${name}-export` },
    limits: { stateBytes, exportBytes: 1_000_000 },
    labels: { "bench.test/round": String(number) },
    oci: { allowPlainHttp: false, insecureSkipVerify: false },
    egress: { profile: "default", deny: [], allow: [], onlyAllowed: false, clusterCIDRs: [], tokenRealms: [] },
  };
}

/** What init and wait are started with. */
function surroundingsOf({ place, folder }: Round, job: JobFile, container: ContainerName) {
  const paths = containerPaths(folder);
  const variables = environmentOf(container, { item, operation: "RECONCILE", paths });
  const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  mkdirSync(dirname(paths.job), { recursive: true });
  writeFileSync(paths.job, JSON.stringify(job));
  writeFileSync(paths.configuration, JSON.stringify(itemSpec().config));
  return {
    env: { ...env, POD_NAME: job.pod, POD_NAMESPACE: place.pods.namespace },
    paths,
    client: place.environment.client,
    log: () => {},
    signal: new AbortController().signal,
  };
}

/** A Pod that no node gets, whose program has ended. */
async function createEndedPod({ pods }: ContainerPlace, name: string): Promise<void> {
  const metadata = { namespace: pods.namespace, name };
  const spec = {
    schedulingGates: [{ name: "bench.test/never" }],
    containers: [{ name: "main", image: "bench.test/none" }],
  };
  const pod = await pods.host.create<Pod>(kubeResources.pod, { apiVersion: "v1", kind: "Pod", metadata, spec });
  await pods.report(pod, { phase: "Running", containerStatuses: [endedMain] });
}

const endedMain = {
  name: "main",
  image: "bench.test/none",
  imageID: "",
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode: 0, reason: "Completed" } },
};

async function save(round: Round): Promise<number> {
  const job = jobOf(round);
  const around = surroundingsOf(round, job, "wait");
  const { state, exports } = around.paths;
  for (const folder of [state, dirname(exports)]) mkdirSync(folder, { recursive: true });
  for (let file = 0; file < fileCount; file++) writeFileSync(join(state, `file-${file}`), randomBytes(mebibyte));
  await createEndedPod(round.place, job.pod);
  return await timeOf(async () => runWait({ ...around, clock: createSystemClock(), random: Math.random }));
}

async function readChunks(round: Round): Promise<NonNullable<JobFile["state"]["restore"]>> {
  const { pods } = round.place;
  const { name } = jobOf(round).state.index;
  const { data } = await pods.host.get(kubeResources.secret, { namespace: pods.namespace, name });
  const { chunks, sha256, bytes } = parseStateIndex(Buffer.from(data?.["index.json"] ?? "", "base64").toString(), name);
  return { chunks, sha256, bytes };
}

async function restore(round: Round, state: NonNullable<JobFile["state"]["restore"]>): Promise<number> {
  const around = surroundingsOf(round, jobOf(round, state), "init");
  rmSync(around.paths.state, { recursive: true });
  return await timeOf(async () => runInit(around));
}

/** The same Secrets under other names, one after the other. */
async function writeRaw({ place }: Round, secrets: readonly Secret[]): Promise<number> {
  const connection = openRawConnection(place);
  try {
    return await timeOf(async () => {
      for (const { metadata, type, data = {} } of secrets) {
        const key = { namespace: place.pods.namespace, name: `raw-${metadata.name}` };
        const body: Secret = { apiVersion: "v1", kind: "Secret", metadata: key, data, ...(type && { type }) };
        await connection.apply(kubeResources.secret, body, "bench");
      }
    });
  } finally {
    await connection.close();
  }
}

async function remove({ place: { pods } }: Round, job: JobFile, names: readonly string[]): Promise<void> {
  const { host, namespace } = pods;
  await host.delete(kubeResources.pod, { namespace, name: job.pod }, { gracePeriodSeconds: 0 });
  for (const name of names) await host.delete(kubeResources.secret, { namespace, name });
}

/** 20 MiB that cannot be compressed, kept and restored in each round. */
export async function measureState(place: ContainerPlace, rounds: number): Promise<StateSpeed> {
  const all: StateSpeed[] = [];
  for (let number = 0; number <= rounds; number++) {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-state-"));
    const round = { place, number, folder };
    try {
      const { host, namespace } = place.pods;
      const saveMs = await save(round);
      const state = await readChunks(round);
      const secrets: Secret[] = [];
      const rawReadMs = await timeOf(async () => {
        for (const { name } of state.chunks) secrets.push(await host.get(kubeResources.secret, { namespace, name }));
      });
      const restoreMs = await restore(round, state);
      const rawWriteMs = await writeRaw(round, secrets);
      all.push({ saveMs, restoreMs, rawWriteMs, rawReadMs });
      const names = state.chunks.map(({ name }) => name);
      const job = jobOf(round);
      await remove(round, job, [job.state.index.name, ...names, ...names.map((name) => `raw-${name}`)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  // The first one only warms up.
  const median = (of: (speed: StateSpeed) => number): number => percentile(all.slice(1).map(of), 0.5);
  return {
    saveMs: median(({ saveMs }) => saveMs),
    restoreMs: median(({ restoreMs }) => restoreMs),
    rawWriteMs: median(({ rawWriteMs }) => rawWriteMs),
    rawReadMs: median(({ rawReadMs }) => rawReadMs),
  };
}
