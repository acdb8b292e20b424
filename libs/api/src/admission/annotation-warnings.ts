import { annotationValues } from "../objects/annotation-values.ts";
import { annotations } from "../objects/annotations.ts";
import { groupName, versionName } from "../objects/api-group.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../objects/foreign-kinds.ts";
import { matchEverywhere } from "./admission-rule.ts";

const name = `annotations.validation.${groupName}`;
const prefix = `${groupName}/`;
const text = (value: string): string => `'${value}'`;
const knownKeys = Object.values(annotations).filter((key) => key.startsWith(prefix));
/** Those that users set; all others are written by services. */
const userKeys = [
  annotations.operation,
  annotations.reconcileIfChanged,
  annotations.reconcilePolicy,
  annotations.deleteWithoutUninstall,
  annotations.deleteIgnoreSuccessors,
  annotations.cacheHelmCharts,
  annotations.fieldValidation,
  annotations.allowEmpty,
  annotations.allowPrune,
  annotations.takeOverFrom,
  annotations.approvedJob,
  annotations.sensitive,
];
const isUnknown = `k.startsWith(${text(prefix)}) && !(k in variables.known)`;
const list = (values: readonly string[]): string => `[${values.map(text).join(", ")}]`;
const valuesByKey = Object.entries(annotationValues).map(([key, values]) => `${text(key)}: ${list(values)}`);
const isInvalid = `k in variables.annotations && !(variables.annotations[k] in variables.values[k]) && !(k == ${text(annotations.operation)} && variables.annotations[k] == '')`;
const oneOf = "(size(variables.values[k]) == 1 ? '' : 'one of ') + variables.values[k].join(', ')";

/**
 * Warns about annotations of Landscaper without an effect: unknown keys of the group, and values that no reader knows. It never refuses an object: the original
 * accepts them, and a refusal could block the removal of finalizers after the hub went back to an older release.
 */
export function generateAnnotationWarnings(): readonly [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding] {
  const policy: ValidatingAdmissionPolicy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Ignore",
      matchConstraints: {
        ...matchEverywhere,
        resourceRules: [
          {
            apiGroups: [groupName],
            apiVersions: [versionName],
            operations: ["CREATE", "UPDATE"],
            resources: ["installations", "executions", "deployitems", "targets", "dataobjects", "environments"],
            scope: "*",
          },
        ],
      },
      matchConditions: [
        {
          name: "annotations-are-new",
          expression:
            "has(object.metadata.annotations) && (oldObject == null || !has(oldObject.metadata.annotations) || object.metadata.annotations != oldObject.metadata.annotations)",
        },
      ],
      variables: [
        { name: "annotations", expression: "object.metadata.annotations" },
        { name: "known", expression: list(knownKeys) },
        { name: "values", expression: `{${valuesByKey.join(", ")}}` },
      ],
      validations: [
        {
          expression: `!variables.annotations.exists(k, ${isUnknown})`,
          message: `metadata.annotations: Landscaper does not know an annotation, so it has no effect. Users set ${userKeys.join(", ")}.`,
          messageExpression: `'metadata.annotations: Landscaper does not know ' + variables.annotations.filter(k, ${isUnknown})[0] + ', so it has no effect. Users set ${userKeys.join(", ")}.'`,
        },
        {
          expression: `!variables.values.exists(k, ${isInvalid})`,
          message: `metadata.annotations: an annotation has a value without an effect. The annotations ${Object.keys(annotationValues).join(", ")} have a closed set of values.`,
          messageExpression: `variables.values.filter(k, ${isInvalid}).map(k, 'metadata.annotations[' + k + ']: expected ' + ${oneOf} + ', found "' + variables.annotations[k] + '", which has no effect')[0]`,
        },
      ],
    },
  };
  const binding: ValidatingAdmissionPolicyBinding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Warn"] },
  };
  return [policy, binding];
}
