import { coreDefaults } from "./core-defaults.ts";
import type { DefaultFunction } from "./default-function.ts";
import { podDefaults } from "./pod-defaults.ts";
import { policyDefaults } from "./policy-defaults.ts";
import { workloadDefaults } from "./workload-defaults.ts";

/** The defaults of all built-in structs, by their Go name. */
export const defaultTable: ReadonlyMap<string, DefaultFunction> = new Map(
  Object.entries({ ...podDefaults, ...coreDefaults, ...workloadDefaults, ...policyDefaults }),
);
