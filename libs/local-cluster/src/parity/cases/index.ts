import type { ParityCase } from "../exchange.ts";
import { bodyCases } from "./body-cases.ts";
import { customResourceCases } from "./custom-resource-cases.ts";
import { deletionCases } from "./deletion-cases.ts";
import { namespaceCases } from "./namespace-cases.ts";
import { patchCases } from "./patch-cases.ts";
import { protobufCases } from "./protobuf-cases.ts";
import { readCases } from "./read-cases.ts";
import { reviewCases } from "./review-cases.ts";
import { ruleCases } from "./rule-cases.ts";
import { updateCases } from "./update-cases.ts";
import { workloadCases } from "./workload-cases.ts";

/** All exchanges that are compared with the real server. */
export const parityCases: readonly ParityCase[] = [
  ...bodyCases,
  ...customResourceCases,
  ...deletionCases,
  ...namespaceCases,
  ...patchCases,
  ...protobufCases,
  ...readCases,
  ...reviewCases,
  ...ruleCases,
  ...updateCases,
  ...workloadCases,
];
