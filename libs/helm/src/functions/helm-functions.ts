import type { FunctionMap } from "@landscaper/golang";
import { builtinNames, sprigFunctions } from "@landscaper/gotemplate";
import { clusterFunctions } from "./cluster-functions.ts";
import { dataFunctions } from "./data-functions.ts";
import { flowFunctions } from "./flow-functions.ts";

/** The functions of Helm v3's templates: sprig without access to the host, and Helm's own, which win. */
export const helmFunctions: FunctionMap = {
  ...sprigFunctions,
  ...dataFunctions,
  ...flowFunctions,
  ...clusterFunctions,
};

/** Names of all functions that a chart's templates may call. */
export const helmFunctionNames: readonly string[] = [...Object.keys(helmFunctions), ...builtinNames];
