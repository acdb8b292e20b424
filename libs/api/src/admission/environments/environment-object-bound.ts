import { groupName, versionName } from "../../objects/api-group.ts";
import { everyNamespace } from "../../schema/namespace-list.ts";
import { isUpdate } from "./environment-account.ts";
import type { BoundSettings, EnvironmentBound } from "./environment-bound.ts";
import { environmentObjectRules } from "./environment-object-rules.ts";

const hasList = (object: string): string => `has(${object}.spec.namespaces)`;
/** CEL over an Environment that has the list. */
const namesAll = (object: string): string => `'${everyNamespace}' in ${object}.spec.namespaces`;

/** CEL alternatives, none without `hubEnvironments`: the agent of one of these Environments names all namespaces. */
function namesAllOfHub(hubEnvironments: readonly string[]): readonly string[] {
  if (hubEnvironments.length === 0) return [];
  const names = hubEnvironments.map((name) => `'${name}'`).join(", ");
  return [`${hasList("object")} && ${namesAll("object")} && variables.environment in [${names}]`];
}

const namesSome = `${hasList("object")} && !(${namesAll("object")})`;
const isUnchanged = `${hasList("object")} == ${hasList("oldObject")} && (!${hasList("object")} || object.spec.namespaces == oldObject.spec.namespaces)`;
/** All namespaces, by either notation, become some; or some become fewer. */
const isNarrowed = `${namesSome} && (!${hasList("oldObject")} || ${namesAll("oldObject")} || object.spec.namespaces.all(n, n in oldObject.spec.namespaces))`;

/** An agent writes its own Environment, and gives it no rights to namespaces that an administrator has not named (docs/reference/deployer-management.md#bounds). */
export function environmentBound({ hubEnvironments }: BoundSettings): EnvironmentBound {
  const isOfHub = namesAllOfHub(hubEnvironments);
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
        expression: ["request.operation != 'CREATE'", namesSome, ...isOfHub].join(" || "),
        message: `agents must create their Environment with names of namespaces in spec.namespaces; only an administrator may set ["${everyNamespace}"], which means all namespaces`,
      },
      {
        expression: [`!(${isUpdate})`, isUnchanged, isNarrowed, ...isOfHub].join(" || "),
        message: "agents must not add namespaces to spec.namespaces of their Environment",
      },
      ...environmentObjectRules,
    ],
  };
}
