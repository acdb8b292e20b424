import { LandscaperError } from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";

/** Statuses by which a host says that it does not want what it was given: rights, quotas, rules of pod security, a namespace that is missing. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 413, 422]);

/** Runs requests to the host; what it refuses becomes a LandscaperError (PodRefused), which is tried again for a while. */
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
    throw new LandscaperError({
      message: `the host cluster refuses ${what}: ${error.message}`,
      reason: "PodRefused",
      retry: "briefly",
      cause: error,
    });
  }
}
