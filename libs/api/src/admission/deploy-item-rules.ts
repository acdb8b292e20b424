import { deployItemKind } from "../kinds/deploy-item.ts";
import type { AdmissionRuleSet } from "./admission-rule.ts";

/** core.md §3.6 "DI" */
export const deployItemRules: AdmissionRuleSet = {
  kind: deployItemKind,
  variables: [],
  rules: [
    { expression: "object.spec.type != ''", message: "spec.type: must be set" },
    {
      expression: "!has(object.spec.target) || object.spec.target.name != ''",
      message: "spec.target.name: must be set",
    },
    {
      expression:
        "!has(object.spec.target) || (has(object.spec.target.namespace) && object.spec.target.namespace != '')",
      message: "spec.target.namespace: must be set",
    },
    {
      expression: "oldObject == null || object.spec.type == oldObject.spec.type",
      message: "spec.type: must not change",
      reason: "Forbidden",
    },
  ],
};
