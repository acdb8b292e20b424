import { targetKind } from "../kinds/target.ts";
import type { AdmissionRuleSet } from "./admission-rule.ts";

/** core.md §3.6 "target": none of both is allowed. */
export const targetRules: AdmissionRuleSet = {
  kind: targetKind,
  variables: [],
  rules: [
    {
      // dyn: the API server has no type for a field of any JSON and would warn.
      expression: "!has(dyn(object.spec).config) || !has(object.spec.secretRef)",
      message: "spec: only one of config and secretRef may be set",
    },
  ],
};
