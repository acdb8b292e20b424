import { kubeResources, type Secret, type TargetSync } from "@landscaper/api";
import type { Client, Clock, ForeignServers } from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";
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
  readonly egress: EgressPolicy;
  readonly foreignServers: ForeignServers;
}

/** Reads the kubeconfig live; `source.close` is up to the caller. Throws LandscaperError for one that cannot be used. */
export async function openSource(
  { client, clock, egress, foreignServers }: OpenContext,
  targetSync: TargetSync,
  signal: AbortSignal,
): Promise<OpenSource> {
  const { secretRef, sourceNamespace } = targetSync.spec;
  const key = { namespace: namespaceOf(targetSync), name: secretRef.name };
  const secret = await client.find(kubeResources.secret, key, { signal });
  if (secret === undefined) throw invalidTargetSync(`spec.secretRef: Secret ${secretRef.name} does not exist`);
  const kubeconfig = readKubeconfig(secret, secretRef);
  const options = { kubeconfig, namespace: sourceNamespace, clock, egress, foreignServers, signal };
  return { source: openSourceCluster(options), secret };
}
