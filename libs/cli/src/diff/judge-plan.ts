import { annotations, conditionTypes, isJobOpen, operations, type Condition, type DeployItem } from "@landscaper/api";

/** A request for a plan that stands. */
export interface PlanRequest {
  /** One of `planOperations`. */
  readonly operation: string;
  readonly uid: string;
  /** The last job when it was made. */
  readonly jobID: string | undefined;
  /** The condition that an earlier plan has left. */
  readonly before: PlannedCondition | undefined;
}

export type PlannedCondition = Partial<Condition>;

/** How far a request is. */
export type PlanProgress =
  /** `taken`: what the deployer says meanwhile; undefined = nobody has taken it. */
  | { readonly type: "pending"; readonly taken: string | undefined }
  | { readonly type: "planned" }
  /** The deployer's answer is an error, or there will be none. */
  | { readonly type: "failed"; readonly message: string };

/** An answer that was there before and is older than this is none to the request; deployers write whole seconds. */
const sameAnswerMs = 60_000;

/** What prevents a plan before it is asked for; undefined = nothing. Pure. */
export function findObstacle(item: DeployItem, operation: string = operations.plan): string | undefined {
  const asked = operationOf(item);
  if (item.metadata.deletionTimestamp !== undefined) return "is being deleted";
  if (isJobOpen(item.status))
    return `has an open job (${(item.status?.phase ?? "") || "not started"}), which goes first`;
  if (asked !== undefined && asked !== operation) return `is asked for the operation "${asked}"`;
  return undefined;
}

/** What has become of a request; `item` is undefined where it is gone. Pure. */
export function judgePlan(item: DeployItem | undefined, request: PlanRequest, now: number): PlanProgress {
  const fail = (message: string): PlanProgress => ({ type: "failed", message });
  if (item === undefined || item.metadata.uid !== request.uid) return fail("is gone");
  const obstacle = findObstacle(item, request.operation);
  if (obstacle !== undefined) return fail(obstacle);
  const condition = plannedOf(item);
  if (operationOf(item) !== undefined) {
    const taken = condition?.status === "Unknown" ? (condition.message ?? "") : undefined;
    return { type: "pending", taken };
  }
  if (item.status?.jobID !== request.jobID) return fail("has had a job meanwhile");
  if (condition === undefined || condition.status === "Unknown" || isStale(condition, request, now)) {
    return fail("the request was taken back by somebody else");
  }
  return condition.status === "True" ? { type: "planned" } : fail(condition.message ?? "");
}

export function plannedOf({ status }: DeployItem): PlannedCondition | undefined {
  return status?.conditions?.find(({ type }) => type === conditionTypes.planned);
}

export function operationOf({ metadata }: DeployItem): string | undefined {
  return metadata.annotations?.[annotations.operation];
}

/** The answer to an earlier request, and not one of the same words and second. */
function isStale(
  { status, message, lastUpdateTime = "" }: PlannedCondition,
  { before }: PlanRequest,
  now: number,
): boolean {
  const isSame = before?.status === status && before?.message === message && before?.lastUpdateTime === lastUpdateTime;
  return isSame && now - Date.parse(lastUpdateTime) > sameAnswerMs;
}
