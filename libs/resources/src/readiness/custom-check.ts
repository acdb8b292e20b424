import type { ReadinessRequirement, UnstructuredObject } from "@landscaper/api";
import type { ContentBudget } from "@landscaper/budget";
import { startPathBudget } from "@landscaper/jsonpath";
import { isDeepEqual } from "@landscaper/patch";
import { compileFieldPath } from "../kube-json-path.ts";
import type { Readiness } from "./workload-readiness.ts";

/** A readiness check that the user defines (deployers.md §2, §3.6). */
export interface CustomCheck {
  readonly name: string;
  readonly disabled?: boolean | undefined;
  readonly resourceSelector?: readonly CheckedResource[] | undefined;
  /** Searches all namespaces. */
  readonly labelSelector?: CheckedLabels | undefined;
  readonly requirements?: readonly ReadinessRequirement[] | undefined;
  /** Is true for a ready object (docs/reference/health-rules.md#checks-of-an-item). */
  readonly cel?: string | undefined;
  /** Another Target of the DeployItem's namespace. */
  readonly targetName?: string | undefined;
}

export interface CheckedResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface CheckedLabels {
  readonly apiVersion: string;
  readonly kind: string;
  readonly matchLabels: Readonly<Record<string, string>>;
}

/** Whether the object fulfils all requirements; otherwise the message names the first that it does not. */
export function checkRequirements(
  object: UnstructuredObject,
  requirements: readonly ReadinessRequirement[],
): Readiness {
  const budget = startPathBudget();
  for (const requirement of requirements) {
    const problem = findProblem(object, requirement, budget);
    if (problem !== undefined) return { ready: false, message: `${requirement.jsonPath} ${problem}` };
  }
  return { ready: true };
}

/**
 * A missing field passes for `!` only, also not for `!=` and `notin`; 1 and "1" differ (deployers.md §3.6). A path that does not
 * fit the object passes for nothing.
 */
function findProblem(
  object: UnstructuredObject,
  requirement: ReadinessRequirement,
  budget: ContentBudget,
): string | undefined {
  const { operator, jsonPath } = requirement;
  const { values: found, problem } = compileFieldPath(jsonPath, "jsonPath").find(object, budget);
  if (problem !== undefined) return `does not fit the object: ${problem}`;
  const values = (requirement.values ?? []).map(({ value }) => value);
  const isFulfilled =
    found.length === 0 ? operator === "!" : found.every((value) => isAccepted(value, operator, values));
  // The values are the user's, and may be secret: the operator and the path say enough.
  return isFulfilled ? undefined : `does not fulfil "${operator}"`;
}

function isAccepted(value: unknown, operator: ReadinessRequirement["operator"], values: readonly unknown[]): boolean {
  switch (operator) {
    case "exists":
      return true;
    case "!":
      return false;
    case "=":
    case "==":
    case "in":
      return values.some((wanted) => isDeepEqual(wanted, value));
    case "!=":
      return !isDeepEqual(values[0], value);
    case "notin":
      return !values.some((unwanted) => isDeepEqual(unwanted, value));
  }
}
