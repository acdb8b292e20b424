// Requests of users in each phase.
import { resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import { triggerJob } from "../../src/namespaces/trigger-job.ts";
import { createDataObject, createInstallation, installationName } from "../measure/measured-installation.ts";
import type { JobWatch } from "../measure/watch-jobs.ts";
import type { WriteConnection } from "../measure/write-connection.ts";
import type { PhaseName } from "./contract.ts";

export interface UserWork {
  readonly client: Client;
  readonly connection: WriteConnection;
  readonly inFlight: number;
  readonly namespace: string;
  readonly count: number;
  readonly jobs: JobWatch;
}

type Work = (work: UserWork) => Promise<number[]>;

async function createAll({ connection, inFlight, namespace, count, jobs }: UserWork): Promise<number[]> {
  const started = new Map<string, number>();
  await runInParallel(count, inFlight, async (index) => {
    await connection.create(resources.dataObject, createDataObject(namespace, index, `value ${index}`));
    started.set(installationName(index), performance.now());
    await connection.create(resources.installation, createInstallation(namespace, index) as never); // of the kind's type
  });
  const finished = await jobs.waitForAll(count, "finished");
  return [...finished].map(([name, time]) => time - (started.get(name) ?? 0));
}

async function updateAll({ client, inFlight, namespace, count, jobs }: UserWork): Promise<number[]> {
  const started = new Map<string, number>();
  jobs.reset();
  await runInParallel(count, inFlight, async (index) => {
    const name = installationName(index);
    const value = { type: "merge", body: { data: `changed ${index}` } } as const;
    await client.patch(resources.dataObject, { namespace, name: `value-${index}` }, value);
    started.set(name, performance.now());
    await triggerJob(client, resources.installation, { namespace, name });
  });
  const finished = await jobs.waitForAll(count, "finished");
  return [...finished].map(([name, time]) => time - (started.get(name) ?? 0));
}

async function deleteAll({ client, inFlight, namespace, count, jobs }: UserWork): Promise<number[]> {
  const started = new Map<string, number>();
  jobs.reset();
  await runInParallel(count, inFlight, async (index) => {
    const name = installationName(index);
    started.set(name, performance.now());
    await client.delete(resources.installation, { namespace, name });
  });
  const gone = await jobs.waitForAll(count, "gone");
  return [...gone].map(([name, time]) => time - (started.get(name) ?? 0));
}

/** Each function resolves to the durations of all Installations, in ms. */
export const phaseWork: Readonly<Record<PhaseName, Work>> = {
  create: createAll,
  update: updateAll,
  delete: deleteAll,
};
