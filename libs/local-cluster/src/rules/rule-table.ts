import { createRuleCompiler } from "./compile-struct-rules.ts";
import type { RuleTable } from "./compile-struct-rules.ts";
import { networkRules } from "./network-rules.ts";

const ruleTable: RuleTable = new Map(Object.entries({ ...networkRules }));

/** The check of a built-in struct with all structs in it; undefined if the table has no rule for them. */
export const compileStructRules = createRuleCompiler(ruleTable);
