import { annotations, keyOf, operations, resources, type DeployItem } from "@landscaper/api";
import { isConflict, type Client } from "@landscaper/controller-runtime";
import { findObstacle, operationOf, plannedOf, type PlanRequest } from "./judge-plan.ts";

export interface RequestOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** One of `planOperations`. Default: plan. */
  readonly operation?: string | undefined;
}

/** Asks for the plan of an item; no other operation is overwritten. The text says what prevents it. */
export async function requestPlan(item: DeployItem, options: RequestOptions): Promise<PlanRequest | string> {
  const { operation = operations.plan } = options;
  const mayChange = (fresh: DeployItem): string | undefined => findObstacle(fresh, operation);
  const asked = await annotate(item, { ...options, value: operation, mayChange });
  if (typeof asked === "string") return asked;
  return { operation, uid: asked.metadata.uid ?? "", jobID: asked.status?.jobID, before: plannedOf(asked) };
}

/** Takes a request back that stands still. */
export async function withdrawPlan(item: DeployItem, options: RequestOptions): Promise<void> {
  const { operation = operations.plan } = options;
  const mayChange = (fresh: DeployItem): string | undefined =>
    operationOf(fresh) === operation ? undefined : "answered";
  await annotate(item, { ...options, value: null, mayChange });
}

interface AnnotateOptions extends RequestOptions {
  readonly value: string | null;
  /** Why not; undefined = it may. */
  readonly mayChange: (item: DeployItem) => string | undefined;
}

/** Whoever writes beside us wins: read again, look again, try again. */
async function annotate(item: DeployItem, options: AnnotateOptions): Promise<DeployItem | string> {
  const { client, signal, value, mayChange } = options;
  const key = keyOf(item);
  for (;;) {
    const fresh = await client.find(resources.deployItem, key, { signal });
    if (fresh === undefined || fresh.metadata.uid !== item.metadata.uid) return "is gone";
    const reason = mayChange(fresh);
    if (reason !== undefined) return reason;
    const { resourceVersion } = fresh.metadata;
    const body = { metadata: { resourceVersion, annotations: { [annotations.operation]: value } } };
    try {
      return await client.patch(resources.deployItem, key, { type: "merge", body, signal });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
