// What becomes of the jobs of a namespace, as a watch sees it.
import { isJobOpen, keyOf, resources, type Installation } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";

export interface JobRecord {
  /** Phases in which the jobs of an Installation have ended, in order. */
  endsOf(name: string): readonly string[];
  /** Resolves when so many jobs of the Installation have ended. */
  untilEnded(name: string, count: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Records from now on; what has ended before is not seen. */
export async function recordJobs({ client, name: namespace }: TestNamespace): Promise<JobRecord> {
  const abort = new AbortController();
  const ends = new Map<string, Map<string, string>>();
  const listeners = new Set<() => void>();
  const { resourceVersion } = await client.list(resources.installation, { namespace });
  const take = (installation: Installation): void => {
    const { jobIDFinished, phase = "" } = installation.status ?? {};
    if (jobIDFinished === undefined || isJobOpen(installation.status)) return;
    const { name } = keyOf(installation);
    const jobs = ends.get(name) ?? new Map<string, string>();
    ends.set(name, jobs.set(jobIDFinished, phase));
    for (const listener of listeners) listener();
  };
  const watch = async (): Promise<void> => {
    const events = client.watch(resources.installation, { namespace, resourceVersion, signal: abort.signal });
    try {
      for await (const event of events) if ("object" in event && event.type !== "BOOKMARK") take(event.object);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
  };
  const watching = watch();
  const endsOf = (name: string): readonly string[] => [...(ends.get(name)?.values() ?? [])];
  return {
    endsOf,
    untilEnded: (name, count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`expected ${count} jobs of ${name} to end, found ${endsOf(name).join(", ")}`));
        }, 25_000);
        const check = (): void => {
          if (endsOf(name).length < count) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve(endsOf(name));
        };
        listeners.add(check);
        check();
      }),
    stop: async () => {
      abort.abort(new Error("stop"));
      await watching;
    },
  };
}
