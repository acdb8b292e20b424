import { executionKind } from "../kinds/execution.ts";
import { duplicatesOf, isUnique, listOrEmpty, type AdmissionRuleSet } from "./admission-rule.ts";

const unknownDependencies = "i.dependsOn.filter(d, !(d in variables.itemNames))";

/** Dependent items up to which rings are looked for here: CEL knows no recursion. */
const maxDependents = 12;

/** `waiting0` are the items that depend on others, `waitingN` those of them that wait for one of the set before: after a step for each, a ring is left. */
const waitingItems = Array.from({ length: maxDependents + 1 }, (_, step) => ({
  name: `waiting${step}`,
  expression:
    step === 0
      ? "variables.items.filter(i, has(i.dependsOn) && size(i.dependsOn) > 0)"
      : `variables.waiting${step - 1}.filter(i, i.dependsOn.exists(d, variables.waiting${step - 1}.exists(w, w.name == d)))`,
}));

/**
 * core.md §3.6 "exec"; only the plain form of the list can be seen here. Its writer, the Installation controller, checks the
 * compressed one, and for both forms the labels and that dependsOn has no cycle, before it creates anything.
 */
export const executionRules: AdmissionRuleSet = {
  kind: executionKind,
  variables: [
    { name: "items", expression: listOrEmpty("object.spec.deployItems") },
    { name: "itemNames", expression: "variables.items.map(i, i.name)" },
    ...waitingItems,
  ],
  rules: [
    {
      expression: "variables.itemNames.all(n, n != '')",
      message: "spec.deployItems: every item must have a name",
    },
    {
      expression: isUnique("variables.itemNames"),
      message: "spec.deployItems: names must be unique",
      messageExpression: `'spec.deployItems: the name ' + ${duplicatesOf("variables.itemNames")} + ' must be unique'`,
    },
    {
      expression: "variables.items.all(i, i.type != '')",
      message: "spec.deployItems: type must be set",
      messageExpression:
        "'spec.deployItems[' + variables.items.filter(i, i.type == '')[0].name + ']: type must be set'",
    },
    {
      expression:
        "variables.items.all(i, !has(i.target) || (i.target.name != '' && has(i.target.namespace) && i.target.namespace != ''))",
      message: "spec.deployItems: target must have a name and a namespace",
      messageExpression:
        "'spec.deployItems[' + variables.items.filter(i, has(i.target) && !(i.target.name != '' && has(i.target.namespace) && i.target.namespace != ''))[0].name + ']: target must have a name and a namespace'",
    },
    {
      expression: `size(variables.items) > 250 || variables.items.all(i, !has(i.dependsOn) || ${unknownDependencies}.size() == 0)`,
      message: "spec.deployItems: dependsOn may only name items of this Execution",
      messageExpression: `variables.items.filter(i, has(i.dependsOn) && ${unknownDependencies}.size() > 0).map(i, 'spec.deployItems[' + i.name + ']: dependsOn names ' + ${unknownDependencies}[0] + ', which is no item of this Execution')[0]`,
    },
    {
      expression: `size(variables.waiting0) > ${maxDependents} || size(variables.waiting${maxDependents}) == 0`,
      message: "spec.deployItems: items must not depend on each other in a ring",
      messageExpression: `'spec.deployItems: items must not depend on each other in a ring: see dependsOn of ' + variables.waiting${maxDependents}.map(i, i.name).join(', ')`,
    },
  ],
};
