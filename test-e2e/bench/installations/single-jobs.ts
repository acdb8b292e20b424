import type { Installation } from "@landscaper/api";
import { resources } from "@landscaper/api";
import type { Environment } from "../../src/services/environment.ts";
import { triggerJob } from "../../src/namespaces/trigger-job.ts";
import { measurePhase, requestsOf } from "../measure/measure.ts";
import { createDataObject, createInstallation, installationName } from "../measure/measured-installation.ts";
import { percentile } from "../measure/percentile.ts";
import { openNamespace } from "../measure/open-namespace.ts";

export interface SingleJobs {
  /** From create to Succeeded on an idle system, the middle one. */
  readonly secondsOfOne: number;
  /** API requests of a job that changes nothing, all services together, Events included. */
  readonly requestsOfNoOp: number;
}

const rounds = 9;

/** Jobs one after the other: new Installations, then one that is triggered again and again without any change. */
export async function measureSingleJobs(environment: Environment): Promise<SingleJobs> {
  const { client } = environment;
  const { namespace, jobs } = await openNamespace(environment, "single");
  try {
    const seconds: number[] = [];
    for (let index = 0; index < rounds; index++) {
      await client.create(resources.dataObject, createDataObject(namespace, index, `value ${index}`));
      const installation = createInstallation(namespace, index, { updateOnChangeOnly: true });
      const began = performance.now();
      await client.create(resources.installation, installation as Installation); // of the kind's type
      const ends = await jobs.waitForAll(index + 1, "finished");
      seconds.push(((ends.get(installationName(index)) ?? Number.NaN) - began) / 1000);
    }
    const noOp = await measurePhase(environment, "no-op", async () => {
      for (let round = 0; round < rounds; round++) {
        jobs.reset();
        await triggerJob(client, resources.installation, { namespace, name: installationName(0) });
        await jobs.waitForAll(1, "finished");
      }
      return [];
    });
    return { secondsOfOne: percentile(seconds, 0.5), requestsOfNoOp: requestsOf(noOp) / rounds };
  } finally {
    await jobs.stop();
  }
}
