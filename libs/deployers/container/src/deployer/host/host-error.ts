import { LandscaperError } from "@landscaper/api";
import { ApiError, isQuotaExceeded } from "@landscaper/controller-runtime";

/** Statuses by which a host says that it does not want what it was given: rights, quotas, rules of pod security, a namespace that is missing. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 413, 422]);

/** Messages of quotas and LimitRanges that a Pod can satisfy with other resources. */
const asksForResources =
  /must specify |(minimum|maximum) \S+ usage per |limit to request ratio|must be less than or equal to \S+ limit/;
const quotaHint =
  "the job waits until the quota has room; if the quota is smaller than one Pod, raise it, or set smaller `resources` of the item";
const resourcesHint =
  "set `resources` of the item; the operator can set `pod.resources`, `initContainer.resources` and `waitContainer.resources` in the configuration of the deployer";

/**
 * Runs requests to the host; what it refuses becomes a LandscaperError (PodRefused), which is retried for 30 s, or (QuotaExceeded), which is retried until
 * the timeout of the job.
 */
export async function onHost<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || !refusals.has(error.status)) throw error;
    const { kind, name } = error.statusObject.details ?? {};
    if (error.status === 404 && kind === "namespaces") {
      throw new LandscaperError({
        message: `the host cluster has no namespace "${name}", in which the deployer runs programs: ${what} cannot be created`,
        reason: "PodRefused",
        hint: "create the namespace, or ask the operator to correct `namespace` in the configuration of the deployer",
        retry: "briefly",
        cause: error,
      });
    }
    const message = `the host cluster refuses ${what}: ${error.message}`;
    if (isQuotaExceeded(error)) {
      throw new LandscaperError({ message, reason: "QuotaExceeded", hint: quotaHint, cause: error });
    }
    const hint = asksForResources.test(error.message) ? resourcesHint : undefined;
    throw new LandscaperError({ message, reason: "PodRefused", hint, retry: "briefly", cause: error });
  }
}
