import { environmentKind } from "../kinds/environment.ts";
import { everyNamespace } from "../schema/namespace-list.ts";
import type { AdmissionRuleSet } from "./admission-rule.ts";

const meaning = `["${everyNamespace}"] means all namespaces of the landscaper cluster`;

/** Environments of earlier releases may lack the list, and keep all namespaces (docs/reference/deployer-management.md#namespaces). */
export const environmentRules: AdmissionRuleSet = {
  kind: environmentKind,
  hasNoExemption: true,
  variables: [],
  rules: [
    {
      expression: "oldObject != null || has(object.spec.namespaces)",
      message: `spec.namespaces: must be set; ${meaning}`,
    },
    {
      expression: "oldObject == null || !has(oldObject.spec.namespaces) || has(object.spec.namespaces)",
      message: `spec.namespaces: must not be removed; ${meaning}`,
    },
  ],
};
