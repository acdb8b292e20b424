import { annotations } from "../../objects/annotations.ts";
import { groupName, versionName } from "../../objects/api-group.ts";
import { equalityOperators, maxOwnSelectors } from "../../objects/own-target-selectors.ts";
import { everyNamespace } from "../../schema/namespace-list.ts";
import { isUpdate } from "./environment-account.ts";
import type { BoundSettings, EnvironmentBound } from "./environment-bound.ts";
import { environmentObjectRules } from "./environment-object-rules.ts";

const hasList = (object: string): string => `has(${object}.spec.namespaces)`;
/** CEL over an Environment that has the list. */
const namesAll = (object: string): string => `'${everyNamespace}' in ${object}.spec.namespaces`;

/** CEL alternatives, none without `hubEnvironments`: the agent is of one of these Environments. */
function hubAlternatives(hubEnvironments: readonly string[]): readonly string[] {
  if (hubEnvironments.length === 0) return [];
  return [`variables.environment in [${hubEnvironments.map((name) => `'${name}'`).join(", ")}]`];
}

const namesSome = `${hasList("object")} && !(${namesAll("object")})`;
const isUnchanged = `${hasList("object")} == ${hasList("oldObject")} && (!${hasList("object")} || object.spec.namespaces == oldObject.spec.namespaces)`;
/** All namespaces, by either notation, become some; or some become fewer. */
const isNarrowed = `${namesSome} && (!${hasList("oldObject")} || ${namesAll("oldObject")} || object.spec.namespaces.all(n, n in oldObject.spec.namespaces))`;

const selectors = (object: string): string => `${object}.spec.?targetSelectors.orValue([])`;
const operators = equalityOperators.map((operator) => `'${operator}'`).join(", ");
/** CEL over a selector `s`: it selects only the Environment's own Targets. Must agree with `areOwnSelectors`. */
const isOwnSelector = [
  "s.?targets.orValue([]).size() > 0 && s.targets.all(t, t.?name.orValue('') == variables.environment)",
  `s.?annotations.orValue([]).exists(a, a.key == '${annotations.environment}' && a.operator in [${operators}] && a.?values.orValue([]) == [variables.environment])`,
].join(" || ");
const hasOwnSelectors = `${selectors("object")}.size() > 0 && ${selectors("object")}.size() <= ${maxOwnSelectors} && ${selectors("object")}.all(s, ${isOwnSelector})`;

/** An agent writes its own Environment, and decides neither its namespaces nor its Targets (docs/reference/deployer-management.md#bounds). */
export function environmentBound({ hubEnvironments }: BoundSettings): EnvironmentBound {
  const ofHub = hubAlternatives(hubEnvironments);
  const allOfHub = ofHub.map((isOfHub) => `${hasList("object")} && ${namesAll("object")} && ${isOfHub}`);
  return {
    name: "environments",
    group: groupName,
    version: versionName,
    resources: ["environments", "environments/status"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      {
        expression:
          "variables.isAgent && (oldObject == null ? object.metadata.name : oldObject.metadata.name) == variables.environment",
        message: "only an agent may write an Environment, and only the Environment in the name of its account",
      },
      {
        expression: ["request.operation != 'CREATE'", ...ofHub].join(" || "),
        message:
          "agents must not create their Environment; an administrator creates it with: landscaper agent bootstrap --environment NAME --namespaces NAMES",
      },
      {
        expression: [`!(${isUpdate})`, isUnchanged, isNarrowed, ...allOfHub].join(" || "),
        message: "agents must not add namespaces to spec.namespaces of their Environment",
      },
      {
        expression: [
          `!(${isUpdate})`,
          `${selectors("object")} == ${selectors("oldObject")}`,
          ...ofHub,
          hasOwnSelectors,
        ].join(" || "),
        message: `agents must not extend spec.targetSelectors of their Environment: each selector must select the name of the Environment, or the annotation ${annotations.environment} with that name`,
      },
      ...environmentObjectRules,
    ],
  };
}
