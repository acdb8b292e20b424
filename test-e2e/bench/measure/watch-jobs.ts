import type { DeployItem, Installation, ResourceType } from "@landscaper/api";
import { isJobOpen, resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

/** Follows the Installations (or DeployItems) of one namespace by a watch and notes when each job ends. */
export interface JobWatch {
  /**
   * Resolves when `count` of them have reached the state, with the time of each by name (performance.now()). Rejects if a job of this
   * round has failed, even before the call, or if the watch broke.
   */
  waitForAll(count: number, state: "finished" | "gone"): Promise<Map<string, number>>;
  /** Forgets what was seen: the next job of each counts. */
  reset(): void;
  stop(): Promise<void>;
}

interface Waiter {
  readonly count: number;
  readonly times: ReadonlyMap<string, number>;
  readonly resolve: (times: Map<string, number>) => void;
  readonly reject: (error: Error) => void;
}

function hasFinished({ status }: Installation | DeployItem, finishedJobs: ReadonlySet<string>): boolean {
  const jobID = status?.jobID;
  return status !== undefined && jobID !== undefined && !isJobOpen(status) && !finishedJobs.has(jobID);
}

export async function watchJobs(
  client: Client,
  namespace: string,
  type: ResourceType<Installation> | ResourceType<DeployItem> = resources.installation,
): Promise<JobWatch> {
  // What is read here, both have.
  const followed = type as ResourceType<Installation>;
  const controller = new AbortController();
  const finished = new Map<string, number>();
  const gone = new Map<string, number>();
  /** Jobs of rounds before. */
  const knownJobs = new Set<string>();
  const lastJobs = new Map<string, string>();
  let waiters: Waiter[] = [];
  /** Why this round cannot be measured. */
  let failure: Error | undefined;
  let isBroken = false;

  function fail(error: Error): void {
    failure ??= error;
    for (const { reject } of waiters) reject(failure);
    waiters = [];
  }
  function notify(): void {
    waiters = waiters.filter((waiter) => {
      if (waiter.times.size < waiter.count) return true;
      waiter.resolve(new Map(waiter.times));
      return false;
    });
  }
  function see(type: string, object: Installation): void {
    const { name = "" } = object.metadata;
    if (type === "DELETED") gone.set(name, performance.now());
    else if (!finished.has(name) && hasFinished(object, knownJobs)) {
      finished.set(name, performance.now());
      lastJobs.set(name, object.status?.jobID ?? "");
      if (object.status?.phase !== "Succeeded") {
        fail(new Error(`${name}: ${object.status?.phase}: ${object.status?.lastError?.message}`));
      }
    }
    notify();
  }

  const { resourceVersion } = await client.list(followed, { namespace });
  const watching = (async () => {
    let from = resourceVersion;
    while (!controller.signal.aborted) {
      const options = { namespace, resourceVersion: from, signal: controller.signal };
      for await (const event of client.watch(followed, options)) {
        if (event.type === "ERROR") throw new Error(`the watch of the benchmark broke: ${event.status.message ?? ""}`);
        from = event.object.metadata.resourceVersion ?? from;
        if (event.type !== "BOOKMARK") see(event.type, event.object);
      }
    }
  })().catch((error: unknown) => {
    if (controller.signal.aborted) return;
    isBroken = true;
    fail(error instanceof Error ? error : new Error(String(error)));
  });

  return {
    async waitForAll(count, state) {
      if (failure !== undefined) throw failure;
      return new Promise((resolve, reject) => {
        waiters.push({ count, times: state === "finished" ? finished : gone, resolve, reject });
        notify();
      });
    },
    reset() {
      for (const job of lastJobs.values()) knownJobs.add(job);
      finished.clear();
      gone.clear();
      if (!isBroken) failure = undefined;
    },
    async stop() {
      controller.abort();
      await watching;
    },
  };
}
