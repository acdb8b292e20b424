import type { ReadinessRequirement, UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { compileFieldPath } from "./kube-json-path.ts";
import type { Readiness } from "./workload-readiness.ts";

/** A readiness check that the user defines (deployers.md §2, §3.6). */
export interface CustomCheck {
  readonly name: string;
  readonly disabled?: boolean | undefined;
  readonly resourceSelector?: readonly CheckedResource[] | undefined;
  /** Searches all namespaces. */
  readonly labelSelector?: CheckedLabels | undefined;
  readonly requirements: readonly ReadinessRequirement[];
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
  const failed = requirements.find((requirement) => !fulfils(object, requirement));
  if (failed === undefined) return { ready: true };
  // The values are the user's, and may be secret: the operator and the path say enough.
  return { ready: false, message: `${failed.jsonPath} does not fulfil "${failed.operator}"` };
}

/** A missing field passes for `!` only, also not for `!=` and `notin`; 1 and "1" differ (deployers.md §3.6). */
function fulfils(object: UnstructuredObject, requirement: ReadinessRequirement): boolean {
  const { operator, jsonPath } = requirement;
  const found = compileFieldPath(jsonPath, "jsonPath").find(object);
  if (found.length === 0) return operator === "!";
  const values = (requirement.values ?? []).map(({ value }) => value);
  return found.every((value) => isAccepted(value, operator, values));
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
