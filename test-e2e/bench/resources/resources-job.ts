import {
  apiVersionOf,
  deployItemPhases,
  isJobOpen,
  resources,
  type DeployItem,
  type Target,
  type UnstructuredObject,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { Environment } from "../../src/services/environment.ts";
import { createTarget, targetName } from "../measure/measured-installation.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import type { ComparedStrategy, Contender } from "./resources-contenders.ts";

interface Job {
  readonly namespace: string;
  readonly jobID: string;
  /** The resource version at which it was triggered. */
  readonly from: string;
}

/** The milliseconds from when the API server tells of the job to when it tells of its end. */
async function timeJob(client: Client, { namespace, jobID, from }: Job): Promise<number> {
  const limits = { resourceVersion: from, signal: AbortSignal.timeout(300_000) };
  let began: number | undefined;
  for await (const event of client.watch(resources.deployItem, { namespace, ...limits })) {
    if (event.type === "ERROR") throw new Error(`the watch of the benchmark broke: ${event.status.message ?? ""}`);
    const status = event.type === "BOOKMARK" ? undefined : event.object.status;
    if (status?.jobID !== jobID) continue;
    began ??= performance.now();
    if (isJobOpen(status)) continue;
    if (status.phase === deployItemPhases.succeeded) return performance.now() - began;
    throw new Error(`the job is ${status.phase}: ${status.lastError?.message}`);
  }
  throw new Error("the watch of the benchmark ended before the job");
}

/** One job of the manifest deployer, from the trigger to the end. */
export function createJobContender(environment: Environment, strategy: ComparedStrategy): Contender {
  const { client, targetKubeconfig } = environment;
  const { child } = environment.service("manifest-deployer");
  const name = "item";
  const specOf = (namespace: string, objects: readonly UnstructuredObject[]): DeployItem["spec"] => ({
    type: "landscaper.gardener.cloud/kubernetes-manifest",
    target: { name: targetName, namespace },
    config: {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderConfiguration",
      updateStrategy: strategy,
      // kubectl does not wait either.
      readinessChecks: { disableDefault: true },
      manifests: objects.map((manifest) => ({ policy: "manage", manifest })),
    },
  });
  /** By namespace: from where to watch. */
  const versions = new Map<string, string>();
  const noteVersion = ({ metadata }: DeployItem): void => {
    versions.set(metadata.namespace ?? "", metadata.resourceVersion ?? "");
  };
  return {
    name: `${strategy}, job`,
    async prepare(namespace, objects) {
      const key = { namespace, name };
      const found = await client.find(resources.deployItem, key);
      const spec = specOf(namespace, objects);
      if (found !== undefined) {
        noteVersion(await client.update(resources.deployItem, { ...found, spec }));
        return;
      }
      await client.create(resources.target, createTarget(namespace, targetKubeconfig) as Target); // of the kind's type
      const { kind } = resources.deployItem;
      const apiVersion = apiVersionOf(resources.deployItem);
      // As the core makes it.
      const metadata = { ...key, finalizers: ["finalizer.landscaper.gardener.cloud"] };
      noteVersion(await client.create(resources.deployItem, { apiVersion, kind, metadata, spec }));
    },
    async apply(namespace) {
      const key = { namespace, name };
      const from = versions.get(namespace) ?? "";
      const jobID = `job-${from}`;
      const timing = timeJob(client, { namespace, jobID, from });
      const body = { status: { observedGeneration: 0, jobID } };
      await client.patch(resources.deployItem, key, { type: "merge", subresource: "status", body });
      return await timing;
    },
    cpuSeconds: () => readProcessUsage(child.pid).cpuSeconds,
    stop: async () => undefined,
  };
}
