import { conditionTypes, type ConditionUpdate, type DeployItem, type DriftMode } from "@landscaper/api";
import type { ManifestDrift } from "./inspect-target.ts";

const type = conditionTypes.drifted;

/** What a look at the target has found. */
export function driftCondition({
  drifts,
  message,
  isCorrected,
}: Pick<ManifestDrift, "message" | "isCorrected"> & { readonly drifts: readonly unknown[] }): ConditionUpdate {
  if (drifts.length === 0) return { type, status: "False", reason: "InSync", message };
  if (isCorrected) return { type, status: "False", reason: "Corrected", message: `corrected ${message}` };
  return { type, status: "True", reason: "Drifted", message };
}

/** What a job that has succeeded says about drift: there is none, or nobody looks for it any more. */
export function conditionsAfterJob({ status }: DeployItem, mode: DriftMode): ConditionUpdate[] {
  if (mode !== "off")
    return [{ type, status: "False", reason: "Deployed", message: "everything has just been deployed" }];
  const isKnown = status?.conditions?.some((condition) => condition.type === type) ?? false;
  return isKnown ? [{ type, status: "Unknown", reason: "Off", message: "driftDetection is off" }] : [];
}
