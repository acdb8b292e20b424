import { resources } from "@landscaper/api";
import type { Environment } from "../../src/services/environment.ts";
import { createNamespace } from "./create-namespace.ts";
import { createTarget } from "./measured-installation.ts";
import { watchJobs, type JobWatch } from "./watch-jobs.ts";

export interface MeasuredNamespace {
  readonly namespace: string;
  readonly jobs: JobWatch;
}

/** A new namespace with the Target that its Installations share; stop `jobs` in the end. */
export async function openNamespace(environment: Environment, name: string): Promise<MeasuredNamespace> {
  const { client, targetKubeconfig } = environment;
  const namespace = await createNamespace(environment, name);
  await client.create(resources.target, createTarget(namespace, targetKubeconfig) as never); // of the kind's type
  return { namespace, jobs: await watchJobs(client, namespace) };
}
