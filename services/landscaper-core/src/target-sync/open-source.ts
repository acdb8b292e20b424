import { kubeResources, type Secret, type TargetSync } from "@landscaper/api";
import type { Client, Clock } from "@landscaper/controller-runtime";
import { namespaceOf } from "../object-reading.ts";
import { openSourceCluster, type SourceCluster } from "./source-cluster.ts";
import { readKubeconfig } from "./source-kubeconfig.ts";
import { invalidTargetSync } from "./target-sync-error.ts";

/** The source of a TargetSync, with the Secret that its kubeconfig stands in. */
export interface OpenSource {
  readonly source: SourceCluster;
  readonly secret: Secret;
}

interface OpenContext {
  readonly client: Pick<Client, "find">;
  readonly clock: Clock;
}

/** Reads the kubeconfig live; `source.close` is up to the caller. Throws LandscaperError for one that cannot be used. */
export async function openSource(
  { client, clock }: OpenContext,
  targetSync: TargetSync,
  signal: AbortSignal,
): Promise<OpenSource> {
  const { secretRef, sourceNamespace } = targetSync.spec;
  const key = { namespace: namespaceOf(targetSync), name: secretRef.name };
  const secret = await client.find(kubeResources.secret, key, { signal });
  if (secret === undefined) throw invalidTargetSync(`spec.secretRef: Secret ${secretRef.name} does not exist`);
  const kubeconfig = readKubeconfig(secret, secretRef);
  return { source: openSourceCluster({ kubeconfig, namespace: sourceNamespace, clock, signal }), secret };
}
