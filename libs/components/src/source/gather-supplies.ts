import { LandscaperError } from "@landscaper/api";
import type { CallOptions } from "../repository/artifact-store.ts";
import { keyOfRequest, type ComponentRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import type { ComponentFetcher } from "./component-source.ts";

export interface GatherOptions extends CallOptions {
  readonly fetcher: ComponentFetcher;
  /** What has been fetched, by the keys of requests; what is fetched is added. */
  readonly supplies: Map<string, Supply>;
  readonly limits?: Partial<GatherLimits> | undefined;
}

interface GatherLimits {
  /** Requests at a time. */
  readonly concurrency: number;
  /** Until all requests are answered. */
  readonly timeoutMs: number;
  /** Of everything that one job has fetched. */
  readonly requests: number;
  readonly bytes: number;
}

const defaults: GatherLimits = { concurrency: 8, timeoutMs: 60_000, requests: 1200, bytes: 128 * 1024 * 1024 };

/** Fetches what a reading lacks. Throws LandscaperError; what was fetched before stays in `supplies`. */
export async function gatherSupplies(requests: readonly ComponentRequest[], options: GatherOptions): Promise<void> {
  const limits = { ...defaults, ...options.limits };
  const { fetcher, supplies } = options;
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, timeout, ending.signal]);
  const queue = [...requests];
  const work = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      checkLimits(supplies, limits);
      supplies.set(keyOfRequest(request), await fetcher.fetch(request, { signal }));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(limits.concurrency, queue.length) }, work));
    checkLimits(supplies, { ...limits, requests: limits.requests + 1 });
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeout.aborted) throw tooLate(limits.timeoutMs);
    throw error;
  } finally {
    queue.length = 0;
    // Those that are still at work have nobody who waits for them.
    ending.abort(new Error("another request has failed"));
  }
}

function checkLimits(supplies: ReadonlyMap<string, Supply>, { requests, bytes }: GatherLimits): void {
  const size = [...supplies.values()].reduce((sum, supply) => sum + supply.bytes.length, 0);
  if (supplies.size < requests && size <= bytes) return;
  throw new LandscaperError({
    message: `components: what the job reads of components is more than the allowed ${requests} descriptors and resources, or ${bytes} bytes`,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function tooLate(timeoutMs: number): LandscaperError {
  return new LandscaperError({
    message: `components: the registries have not answered everything within ${timeoutMs / 1000} s`,
    reason: "RegistryUnreachable",
  });
}
