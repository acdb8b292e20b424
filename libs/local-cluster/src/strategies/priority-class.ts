import type { Strategy } from "../resources/resource-definition.ts";

/** Priority classes never change: what an update says of the preemption is compared, and not checked. */
export const priorityClassStrategy: Strategy = {
  forRules: (priority, old) => {
    if (old === undefined) return priority;
    const { preemptionPolicy: _policy, ...rest } = priority;
    const { apiVersion, kind, metadata } = priority;
    return { ...rest, apiVersion, kind, metadata };
  },
};
