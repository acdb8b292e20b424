import { annotations, conditionTypes, type ConditionUpdate, type DeployItem } from "@landscaper/api";
import type { HelmStatus } from "../helm-status.ts";

/** What the end of a job says of a rollback by annotation: nothing of an item that never had one. */
export function rolledBackConditions(
  { status }: Pick<DeployItem, "status">,
  { release, rolledBack }: Pick<HelmStatus, "release" | "rolledBack">,
): ConditionUpdate[] {
  const type = conditionTypes.rolledBack;
  if (rolledBack !== undefined) {
    const as = rolledBack.to === release?.revision ? "" : `, as revision ${release?.revision}`;
    const message = `the release is at revision ${rolledBack.to}${as}, while the annotation ${annotations.helmRollbackTo} stands`;
    return [{ type, status: "True", reason: "RollbackRequested", message }];
  }
  const isKnown = status?.conditions?.some((condition) => condition.type === type && condition.status === "True");
  if (isKnown !== true) return [];
  return [{ type, status: "False", reason: "ConfigurationDeployed", message: "the release is as it is configured" }];
}
