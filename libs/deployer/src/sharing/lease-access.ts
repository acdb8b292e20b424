import { LandscaperError, kubeResources, type Lease } from "@landscaper/api";
import { ApiError, describeError, type Client, type Clock, type Logger } from "@landscaper/controller-runtime";

export interface LeaseAccessOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Pause (ms) before an API server is asked again that has not answered. */
const askAgainMs = 2000;
/** Never made: everything that could make it is a dry run. */
const probeName = "deployer-lease-access";

type Probes = Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;

/**
 * Resolves when the namespace of the Leases is there, and this process may do all that it does with them; throws a LandscaperError that
 * names what is missing. Without Leases two deployers could work on one item, so nothing starts without them.
 */
export async function demandLeaseAccess(options: LeaseAccessOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await askOnce(options, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof LandscaperError) throw error;
      options.log.warn({ error: describeError(error) }, "cannot ask for the right to Leases yet; trying again");
      await options.clock.sleep(askAgainMs, signal);
    }
  }
}

async function askOnce({ client, namespace }: LeaseAccessOptions, signal: AbortSignal): Promise<void> {
  const missing: string[] = [];
  for (const [verb, probe] of Object.entries(probesOf(client, namespace))) {
    const status = await statusOf(probe(signal));
    if (status === 403) missing.push(verb);
    if (status === 404 && verb === "create") throw missingNamespace(namespace);
  }
  if (missing.length > 0) throw missingRights(namespace, missing);
}

/** One request for each verb; what it asks for does not exist. */
function probesOf(client: Client, namespace: string): Probes {
  const type = kubeResources.lease;
  const key = { namespace, name: probeName };
  const probe: Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { ...key }, spec: {} };
  const guarded: Lease = { ...probe, metadata: { ...key, resourceVersion: "1" } };
  return {
    get: (signal) => client.find(type, key, { signal }),
    list: (signal) => client.list(type, { namespace, labelSelector: probeName, limit: 1, signal }),
    watch: (signal) => openWatch(client, namespace, signal),
    create: (signal) => client.create(type, probe, { dryRun: true, signal }),
    update: (signal) => client.update(type, guarded, { dryRun: true, signal }),
    delete: (signal) => client.delete(type, key, { signal }),
  };
}

/** Ends as soon as the server has accepted the watch. */
async function openWatch(client: Client, namespace: string, signal: AbortSignal): Promise<void> {
  const opened = new AbortController();
  const onOpen = (): void => opened.abort(new Error("the watch is open"));
  const either = AbortSignal.any([signal, opened.signal]);
  const options = {
    namespace,
    labelSelector: probeName,
    resourceVersion: "",
    timeoutSeconds: 1,
    onOpen,
    signal: either,
  };
  try {
    for await (const _event of client.watch(kubeResources.lease, options)) break;
  } catch (error) {
    if (!opened.signal.aborted) throw error;
  }
}

async function statusOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
    return 200;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429) {
      return error.status;
    }
    throw error;
  }
}

function missingNamespace(namespace: string): LandscaperError {
  return new LandscaperError({
    message: `the namespace ${namespace} of the landscaper cluster does not exist: the Leases of its deployers are there`,
    hint: "Create it, or name another namespace with --lease-namespace, the same for all deployers of the cluster.",
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function missingRights(namespace: string, verbs: readonly string[]): LandscaperError {
  return new LandscaperError({
    message: `the right to ${verbs.join(", ")} leases (coordination.k8s.io) in namespace ${namespace} of the landscaper cluster is missing`,
    hint: "docs/guide/operations.md has the Role. Without Leases two deployers could work on one item.",
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
