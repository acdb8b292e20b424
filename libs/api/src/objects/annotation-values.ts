import { fieldValidations } from "../warnings/warnings.ts";
import { annotations } from "./annotations.ts";
import { operations, reconcilePolicyOnChange } from "./api-group.ts";

const booleans = ["true", "false"] as const;

/**
 * Annotations whose readers compare the value with a closed set of words. All other values have no effect. An empty `operation` is the exception: it requests
 * nothing, and is accepted. Annotations that only services write are not listed.
 */
export const annotationValues: Readonly<Record<string, readonly string[]>> = {
  [annotations.operation]: Object.values(operations),
  [annotations.reconcileIfChanged]: booleans,
  [annotations.reconcilePolicy]: [reconcilePolicyOnChange],
  [annotations.deleteWithoutUninstall]: booleans,
  [annotations.deleteIgnoreSuccessors]: booleans,
  [annotations.fieldValidation]: fieldValidations,
  [annotations.allowEmpty]: booleans,
  [annotations.allowPrune]: booleans,
  [annotations.sensitive]: booleans,
  [annotations.containerForceCleanup]: booleans,
  [annotations.continuousReconcileActive]: booleans,
};
