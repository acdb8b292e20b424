import { autoscalingRules } from "./autoscaling-rules.ts";
import { createRuleCompiler } from "./compile-struct-rules.ts";
import type { RuleTable } from "./compile-struct-rules.ts";
import { networkRules } from "./network-rules.ts";
import { podRules } from "./pod-rules.ts";
import { policyRules } from "./policy-rules.ts";
import { selectorRules } from "./selector-rules.ts";
import { storageRules } from "./storage-rules.ts";
import { workloadRules } from "./workload-rules.ts";

const ruleTable: RuleTable = new Map(
  Object.entries({
    ...selectorRules,
    ...podRules,
    ...networkRules,
    ...workloadRules,
    ...storageRules,
    ...policyRules,
    ...autoscalingRules,
  }),
);

/** The check of a built-in struct with all structs in it; undefined if the table has no rule for them. */
export const compileStructRules = createRuleCompiler(ruleTable);
