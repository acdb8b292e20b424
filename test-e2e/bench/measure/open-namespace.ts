import { resources } from "@landscaper/api";
import type { Environment } from "../../src/services/environment.ts";
import { createNamespace } from "./create-namespace.ts";
import { createTarget } from "./measured-installation.ts";
import { watchJobs, type JobWatch } from "./watch-jobs.ts";

export interface MeasuredNamespace {
  readonly namespace: string;
  readonly jobs: JobWatch;
}

/** Client that creates the namespace, and kubeconfig of the Target. */
export type NamespacePlace = Pick<Environment, "client" | "targetKubeconfig">;

/** A new namespace with the Target that its Installations share; stop `jobs` in the end. */
export async function openNamespace(place: NamespacePlace, name: string): Promise<MeasuredNamespace> {
  const { client, targetKubeconfig } = place;
  const namespace = await createNamespace(place, name);
  await client.create(resources.target, createTarget(namespace, targetKubeconfig) as never); // of the kind's type
  return { namespace, jobs: await watchJobs(client, namespace) };
}
