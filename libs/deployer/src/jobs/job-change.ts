import { isDeepStrictEqual } from "node:util";
import type { DeployItemStatus } from "@landscaper/api";
import type { JobMemory } from "./job-registry.ts";

/**
 * Whether a job that has succeeded is news: it changed something, deployed another spec, or the last one had not succeeded. Of a
 * job that another process has begun nobody knows.
 */
export function isNews(
  { statusBefore: before, hasChanged }: Pick<JobMemory, "statusBefore" | "hasChanged">,
  after: DeployItemStatus,
): boolean {
  if (hasChanged || before === undefined) return true;
  return (
    before.phase !== "Succeeded" ||
    before.observedGeneration !== after.observedGeneration ||
    !isDeepStrictEqual(before.exportRef, after.exportRef) ||
    !isDeepStrictEqual(before.providerStatus, after.providerStatus)
  );
}
