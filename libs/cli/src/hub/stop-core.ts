import { coreLeaseNames, kubeResources, type Lease, type Pod, type UnstructuredObject } from "@landscaper/api";
import {
  createSystemClock,
  expiryOf,
  isNotFound,
  observeLease,
  type Client,
  type ObservedLease,
} from "@landscaper/controller-runtime";
import { selectorOf } from "@landscaper/resources";
import { UsageError } from "../usage-error.ts";

const pauseMs = 500;

export interface CoreStop {
  readonly client: Client;
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Scales the core to zero, and waits until it has no Pods and holds no Lease. Cores in two namespaces do not see each other's Leases, so both would
 * work. Then deletes the Leases. Throws UsageError after the timeout.
 */
export async function stopCore(cores: readonly UnstructuredObject[], stop: CoreStop): Promise<void> {
  const { client, namespace, signal } = stop;
  for (const { metadata } of cores) {
    const key = { namespace, name: metadata.name ?? "" };
    try {
      await client.patch(kubeResources.deployment, key, { type: "merge", body: { spec: { replicas: 0 } }, signal });
    } catch (error) {
      // An interrupted helm upgrade has deleted it.
      if (!isNotFound(error)) throw error;
    }
  }
  await waitUntil("Pods", () => listPods(cores, stop), stop);
  const observed = new Map<string, ObservedLease>();
  await waitUntil("Leases", () => listHeld(observed, stop), stop);
  for (const name of observed.keys()) {
    await client.delete(kubeResources.lease, { namespace, name }, { signal });
  }
}

async function waitUntil(what: string, listLeft: () => Promise<readonly string[]>, stop: CoreStop): Promise<void> {
  const { namespace, timeoutMs, signal } = stop;
  const clock = createSystemClock();
  const endMs = clock.elapsed() + timeoutMs;
  for (;;) {
    const left = await listLeft();
    if (left.length === 0) return;
    if (clock.elapsed() >= endMs) {
      throw new UsageError(
        `the core in namespace ${namespace} did not stop in ${timeoutMs / 1000} s: expected no ${what}, found ${left.join(", ")}. If another tool starts the core again, such as Argo CD, pause that tool. Then call the command again.`,
      );
    }
    await clock.sleep(pauseMs, signal);
  }
}

async function listPods(cores: readonly UnstructuredObject[], { client, namespace, signal }: CoreStop) {
  const lists = await Promise.all(
    cores.map(
      async (core) => await client.list<Pod>(kubeResources.pod, { namespace, labelSelector: selectorOf(core), signal }),
    ),
  );
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? ""));
}

/** Leases that a core holds. A Lease without a renewal for its duration belongs to a process that has ended. */
async function listHeld(observed: Map<string, ObservedLease>, { client, namespace, signal }: CoreStop) {
  const clock = createSystemClock();
  const { items } = await client.list<Lease>(kubeResources.lease, { namespace, signal });
  const ofCore = items.filter(({ metadata }) => coreLeaseNames.includes(metadata.name ?? ""));
  return ofCore.flatMap((lease) => {
    const { name = "" } = lease.metadata;
    const seen = observeLease(observed.get(name), lease, clock.elapsed());
    observed.set(name, seen);
    const isHeld = (lease.spec?.holderIdentity ?? "") !== "" && clock.elapsed() < expiryOf(seen);
    return isHeld ? [`${name} of ${JSON.stringify(lease.spec?.holderIdentity)}`] : [];
  });
}
