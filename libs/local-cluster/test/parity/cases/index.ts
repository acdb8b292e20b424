import type { ParityCase } from "../exchange.ts";
import { applyCases } from "./apply-cases.ts";
import { applyCustomCases } from "./apply-custom-cases.ts";
import { applyWorkloadCases } from "./apply-workload-cases.ts";
import { bodyCases } from "./body-cases.ts";
import { customResourceCases } from "./custom-resource-cases.ts";
import { deletionCases } from "./deletion-cases.ts";
import { namespaceCases } from "./namespace-cases.ts";
import { nullCases } from "./null-cases.ts";
import { numberCases } from "./number-cases.ts";
import { patchCases } from "./patch-cases.ts";
import { protobufCases } from "./protobuf-cases.ts";
import { readCases } from "./read-cases.ts";
import { reviewCases } from "./review-cases.ts";
import { ruleCases } from "./rule-cases.ts";
import { serviceCases } from "./service-cases.ts";
import { updateCases } from "./update-cases.ts";
import { workloadCases } from "./workload-cases.ts";

/** Cases whose recordings are without managed fields, and why. */
const untracked: ReadonlyMap<string, string> = new Map([
  ["deletion", "an empty list in the body, which Go keeps apart from none until it is stored"],
  ["jobs and pods", "recorded from a server without the admission of service accounts"],
  ["namespaces", "the real controller ends a namespace in two writes, one of them to its subresource finalize"],
  ["pod rules", "recorded from a server without the admission of service accounts"],
  ["reviews", "reviews are not stored here and have no managers"],
]);

/** All exchanges that are compared with the real server. */
export const parityCases: readonly ParityCase[] = [
  ...applyCases,
  ...applyCustomCases,
  ...applyWorkloadCases,
  ...bodyCases,
  ...customResourceCases,
  ...deletionCases,
  ...namespaceCases,
  ...nullCases,
  ...numberCases,
  ...patchCases,
  ...protobufCases,
  ...readCases,
  ...reviewCases,
  ...ruleCases,
  ...serviceCases,
  ...updateCases,
  ...workloadCases,
].map((parityCase) => {
  const reason = untracked.get(parityCase.name);
  return reason === undefined ? parityCase : { ...parityCase, untracked: reason };
});
