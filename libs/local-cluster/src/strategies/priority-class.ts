import { numberAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { forbiddenField } from "../status/field-error.ts";

/** Largest value of a class without a reserved name. */
const largestValue = 1_000_000_000;

/** Classes of the system and their values. */
const reserved: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** Priority classes never change: what an update says of the preemption is compared, and not checked. */
export const priorityClassStrategy: Strategy = {
  forRules: (priority, old) => {
    if (old === undefined) return priority;
    const { preemptionPolicy: _policy, ...rest } = priority;
    const { apiVersion, kind, metadata } = priority;
    return { ...rest, apiVersion, kind, metadata };
  },
  validate: (priority, old) => {
    if (old !== undefined) return [];
    const { name = "" } = priority.metadata;
    const value = numberAt(priority, "value") ?? 0;
    if (name.startsWith("system-")) {
      const text = "priority class names with 'system-' prefix are reserved for system use only";
      return reserved[name] === value ? [] : [forbiddenField("metadata.name", text)];
    }
    return value > largestValue
      ? [forbiddenField("value", `maximum allowed value of a user defined priority is ${largestValue}`)]
      : [];
  },
};
