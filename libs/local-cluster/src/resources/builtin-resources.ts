import { withGoType } from "./builtin-strategy.ts";
import { coreResources } from "./core-resources.ts";
import { infrastructureResources } from "./infrastructure-resources.ts";
import { policyResources } from "./policy-resources.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { reviewResources } from "./review-resources.ts";
import { workloadResources } from "./workload-resources.ts";

/** All resources that are there without any CRD, in the order of discovery. */
export const builtinResources: readonly ResourceDefinition[] = [
  ...coreResources,
  ...workloadResources,
  ...policyResources,
  ...infrastructureResources,
  ...reviewResources,
].map((definition) => withGoType(definition));
