import { LandscaperError } from "@landscaper/api";
import type { CallOptions } from "../repository/artifact-store.ts";
import { describeRequest, keyOfRequest, type ComponentRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import type { ComponentFetcher } from "./component-source.ts";
import { hostOfRequest } from "./host-of-request.ts";

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
  /** The same where content is hashed, which may be large. */
  readonly hashTimeoutMs: number;
  /** Of everything that one job has fetched. */
  readonly requests: number;
  readonly bytes: number;
  /** Hashes of content of one job. */
  readonly hashes: number;
}

const defaults: GatherLimits = {
  concurrency: 8,
  timeoutMs: 60_000,
  hashTimeoutMs: 600_000,
  requests: 1200,
  bytes: 128 * 1024 * 1024,
  hashes: 5000,
};

/** Fetches what a reading lacks. Throws LandscaperError; what was fetched before stays in `supplies`. */
export async function gatherSupplies(requests: readonly ComponentRequest[], options: GatherOptions): Promise<void> {
  const limits = { ...defaults, ...options.limits };
  const { fetcher, supplies } = options;
  const timeoutMs = requests.some(({ type }) => type === "digest") ? limits.hashTimeoutMs : limits.timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, timeout, ending.signal]);
  const queue = [...requests];
  const unanswered = new Set(requests);
  const work = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      checkLimits(request, supplies, limits);
      supplies.set(keyOfRequest(request), await fetcher.fetch(request, { signal }));
      unanswered.delete(request);
      checkLimits(request, supplies, limits);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(limits.concurrency, queue.length) }, work));
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeout.aborted) throw tooLate([...unanswered], timeoutMs);
    throw error;
  } finally {
    queue.length = 0;
    // Those that are still at work have nobody who waits for them.
    ending.abort(new Error("another request has failed"));
  }
}

/** The request is about to be fetched; or it has been, and is among the supplies. */
function checkLimits(
  request: ComponentRequest,
  supplies: ReadonlyMap<string, Supply>,
  { requests, bytes, hashes }: GatherLimits,
): void {
  const own = supplies.has(keyOfRequest(request)) ? 0 : 1;
  let size = 0;
  let hashed = 0;
  for (const supply of supplies.values()) {
    size += supply.bytes.length;
    if (supply.bytes.length === 0) hashed += 1;
  }
  if (supplies.size - hashed + own <= requests && size <= bytes && hashed + own <= hashes) return;
  throw new LandscaperError({
    message: `${describeRequest(request)}: with it, what the job reads of components is more than the allowed ${requests} descriptors and resources, ${hashes} hashes, or ${bytes} bytes`,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** Names the first one; the others wait for the same registries. */
function tooLate([first, ...others]: readonly ComponentRequest[], timeoutMs: number): LandscaperError {
  const place = first === undefined ? "components" : describeRequest(first);
  const host = first === undefined ? undefined : hostOfRequest(first);
  const more = others.length === 0 ? "" : `, nor one to ${others.length} other requests of the job`;
  return new LandscaperError({
    message: `${place}: no complete answer${host === undefined ? "" : ` from ${host}`} within ${timeoutMs / 1000} s${more}`,
    reason: "RegistryUnreachable",
  });
}
