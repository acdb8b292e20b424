import { setTimeout as sleep } from "node:timers/promises";
import type { Installation, KubeObject } from "@landscaper/api";
import { isJobOpen, resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { Environment } from "../../src/services/environment.ts";
import { clusterImport, deployItems, inlineInstallation } from "../../src/installations/inline-installation.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import {
  createDataObject,
  createInstallation,
  createTarget,
  installationName,
  targetName,
} from "../measure/measured-installation.ts";
import { createHelmSpecs } from "../waiting/waiting-items.ts";

export const healthyKinds = ["manifest", "helm"] as const;
export type HealthyKind = (typeof healthyKinds)[number];

/** One job of the healthy tenant. */
export interface HealthyJob {
  readonly kind: HealthyKind;
  /** From its trigger to Succeeded; undefined when it did not get there. */
  readonly milliseconds: number | undefined;
  /** Why it did not. */
  readonly problem?: string;
}

export interface HealthyLoad {
  readonly environment: Environment;
  /** A new one. */
  readonly namespace: string;
  /** Of each kind. */
  readonly count: number;
  /** Jobs of each kind that are triggered in a second. */
  readonly perSecond: number;
  /** Time limit of a job, in ms; a slower job counts as failed. */
  readonly limitMs: number;
}

interface PlannedJob {
  readonly kind: HealthyKind;
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly installation: KubeObject;
}

async function planJobs({ namespace, count }: HealthyLoad): Promise<PlannedJob[]> {
  const helmSpec = await createHelmSpecs();
  const manifestJob = (index: number): PlannedJob => ({
    kind: "manifest",
    name: installationName(index),
    objects: [createDataObject(namespace, index, `value ${index}`)],
    installation: createInstallation(namespace, index),
  });
  const helmJob = (index: number): PlannedJob => {
    const name = `helm-${index}`;
    const { type, config } = helmSpec({ namespace, name });
    const item = {
      name: "item",
      type,
      target: { import: "cluster" },
      config: { ...config, kind: "ProviderConfiguration" },
    };
    const installation = inlineInstallation({
      name,
      blueprint: { imports: [clusterImport], deployExecutions: deployItems(item) },
      imports: { targets: [{ name: "cluster", target: targetName }] },
    });
    const metadata = { ...installation.metadata, namespace };
    return { kind: "helm", name, objects: [], installation: { ...installation, metadata } };
  };
  return Array.from({ length: count }, (_, index) => [manifestJob(index), helmJob(index)]).flat();
}

interface End {
  readonly at: number;
  readonly problem?: string;
}

interface Ends {
  /** By the name of the Installation. */
  readonly ends: ReadonlyMap<string, End>;
  /** Rejects if the watch breaks: then ends are missing. Never resolves. */
  readonly whenBroken: Promise<never>;
}

/** Notes when the first job of each Installation has ended. */
async function followEnds(client: Client, namespace: string, signal: AbortSignal): Promise<Ends> {
  const ends = new Map<string, End>();
  const see = ({ metadata, status }: Installation): void => {
    const { name = "" } = metadata;
    if (ends.has(name) || status?.jobID === undefined || isJobOpen(status)) return;
    const at = performance.now();
    const { phase, lastError } = status;
    ends.set(name, phase === "Succeeded" ? { at } : { at, problem: `${phase}: ${lastError?.message ?? ""}` });
  };
  const { resourceVersion } = await client.list(resources.installation, { namespace });
  const watch = async (): Promise<void> => {
    const watched = client.watch(resources.installation, { namespace, resourceVersion, signal, timeoutSeconds: 600 });
    for await (const event of watched) {
      if (event.type === "ERROR") throw new Error(`the watch of the bench broke: ${event.status.message ?? ""}`);
      if (event.type === "ADDED" || event.type === "MODIFIED") see(event.object);
    }
    throw new Error("the watch of the bench ended");
  };
  const whenBroken = new Promise<never>((_, reject) => {
    watch().catch((error: unknown) => {
      if (!signal.aborted) reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
  // The caller may still be creating jobs.
  whenBroken.catch(() => undefined);
  return { ends, whenBroken };
}

/**
 * Triggers jobs at a steady rate, whether earlier ones are done or not, and resolves when all are done or out of time. Throws an error if
 * the watch of their ends breaks.
 */
export async function runHealthyJobs(load: HealthyLoad): Promise<HealthyJob[]> {
  const { environment, namespace, perSecond, limitMs } = load;
  const { client, targetKubeconfig } = environment;
  await createNamespace(environment, namespace);
  await client.create<KubeObject>(resources.target, createTarget(namespace, targetKubeconfig));
  const planned = await planJobs(load);
  const watching = new AbortController();
  const { ends, whenBroken } = await followEnds(client, namespace, watching.signal);
  const began = performance.now();
  const starts = await Promise.all(
    planned.map(async ({ objects, installation }, index) => {
      await sleep(Math.max(0, (index / healthyKinds.length / perSecond) * 1000 - (performance.now() - began)));
      for (const object of objects) await client.create<KubeObject>(resources.dataObject, object);
      const start = performance.now();
      await client.create<KubeObject>(resources.installation, installation);
      return start;
    }),
  );
  const deadline = Math.max(...starts) + limitMs;
  const untilDone = async (): Promise<void> => {
    while (ends.size < planned.length && performance.now() < deadline) await sleep(50);
  };
  try {
    await Promise.race([untilDone(), whenBroken]);
  } finally {
    watching.abort();
  }
  return planned.map(({ kind, name }, index) => {
    const end = ends.get(name);
    if (end === undefined) return { kind, milliseconds: undefined, problem: `not done within ${limitMs / 1000} s` };
    if (end.problem !== undefined) return { kind, milliseconds: undefined, problem: end.problem };
    return { kind, milliseconds: end.at - (starts[index] ?? 0) };
  });
}
