import { annotations as annotationNames } from "./annotations.ts";
import type { TargetSelector } from "./target-selector.ts";

/** Maximum number of selectors that an agent may set. It bounds the work of the core for each Target. */
export const maxOwnSelectors = 16;

/** Operators that compare an annotation with one value. */
export const equalityOperators: readonly string[] = ["=", "==", "in"];

/** Returns the default selectors of an Environment: Targets with its name, and Targets with its annotation. */
export function ownTargetSelectors(environment: string): readonly TargetSelector[] {
  return [
    { targets: [{ name: environment, namespace: "" }] },
    { annotations: [{ key: annotationNames.environment, operator: "=", values: [environment] }] },
  ];
}

/** Whether each selector selects only Targets with the name or the annotation of the Environment (docs/reference/deployer-management.md#selectors). */
export function areOwnSelectors(selectors: readonly TargetSelector[], environment: string): boolean {
  return (
    selectors.length > 0 &&
    selectors.length <= maxOwnSelectors &&
    selectors.every(
      ({ targets = [], annotations = [] }) =>
        (targets.length > 0 && targets.every(({ name }) => name === environment)) ||
        annotations.some(
          ({ key, operator, values = [] }) =>
            key === annotationNames.environment &&
            equalityOperators.includes(operator) &&
            values.length === 1 &&
            values[0] === environment,
        ),
    )
  );
}
