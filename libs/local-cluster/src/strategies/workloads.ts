import type { UnstructuredObject } from "@landscaper/api";
import { findStruct } from "../builtin-types/parse-builtin-types.ts";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { dnsLabelProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { compileStructRules } from "../rules/rule-table.ts";
import { matchesLabelSelector } from "../selectors/match-label-selector.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import { ephemeralErrors } from "./pod.ts";

const templateAt = "spec.template";

/** Deployments and ReplicaSets: a selector that fits the template and never changes. */
export const deploymentStrategy: Strategy = {
  validate: (object, old) => [
    ...validateSelector(object),
    ...validateTemplate(object),
    ...validateUnchanged(object, old),
  ],
};

/** DaemonSets count their template's generations in an annotation. */
export const daemonSetStrategy: Strategy = {
  // As the real server, which has the annotation on every DaemonSet that it reads: its writer owns it.
  applyDefaults: (object) => withAnnotation(object, object.metadata.annotations?.[generationAnnotation] ?? "0"),
  prepareForCreate: (object) => withAnnotation(object, "1"),
  prepareForUpdate: (object, old) => {
    const count = Number(old.metadata.annotations?.[generationAnnotation] ?? 0);
    const isSame = equalJson(fieldAt(object, "spec", "template"), fieldAt(old, "spec", "template"));
    return withAnnotation(object, String(isSame ? count : count + 1));
  },
  validate: (object, old) => [
    ...validateDaemonSelector(object),
    ...validateTemplate(object),
    ...validateUnchanged(object, old),
  ],
};

/** Only some fields of a StatefulSet may change. */
export const statefulSetStrategy: Strategy = {
  validateName: dnsLabelProblems,
  forRules: withClaimVolumes,
  prepareForCreate: withTypedClaims,
  prepareForUpdate: withTypedClaims,
  validate: (object, old) => [
    ...validateSelector(object),
    ...validateTemplate(object),
    ...(old === undefined || equalJson(fixedStatefulSet(object), fixedStatefulSet(old))
      ? []
      : [
          forbiddenField(
            "spec",
            `updates to statefulset spec for fields other than ${mutableStatefulSet} are forbidden`,
          ),
        ]),
  ],
};

/** ReplicationControllers select by a map of labels. */
export const replicationControllerStrategy: Strategy = {
  validate: (object) => {
    const selector = recordAt(object, "spec", "selector");
    const missing = recordAt(object, "spec")["template"] === undefined ? [requiredField("spec.template")] : [];
    if (Object.keys(selector).length === 0) return [requiredField("spec.selector"), ...missing];
    if (missing.length > 0) return missing;
    const labels = fieldAt(object, "spec", "template", "metadata", "labels");
    const errors = matchesLabelSelector({ matchLabels: selector }, labels)
      ? []
      : [invalidField(`${templateAt}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`")];
    return [...errors, ...validateTemplate(object)];
  },
};

/** The data of a ControllerRevision never change, so that only a creation checks them. */
export const controllerRevisionStrategy: Strategy = {
  validate: (object, old) => (old === undefined && (object["data"] ?? null) === null ? [requiredField("data")] : []),
};

export const podTemplateStrategy: Strategy = {
  validate: (object) => ephemeralErrors(fieldAt(object, "template", "spec"), "template.spec"),
};

/** The real server writes the type of these embedded objects. */
function withTypedClaims(object: UnstructuredObject): UnstructuredObject {
  const templates = listAt(object, "spec", "volumeClaimTemplates");
  if (templates.length === 0) return object;
  const typed = templates.map((claim) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    ...recordAt({ claim }, "claim"),
  }));
  return { ...object, spec: { ...recordAt(object, "spec"), volumeClaimTemplates: typed } };
}

/**
 * The claims of a StatefulSet are volumes of its pods. The host names of its pods are its own business, and what an update may not change is
 * not checked again.
 */
function withClaimVolumes(object: UnstructuredObject, old: UnstructuredObject | undefined): UnstructuredObject {
  const { volumeClaimTemplates, serviceName, ...spec } = recordAt(object, "spec");
  const template = recordAt(spec, "template");
  const { hostname: _hostname, subdomain: _subdomain, ...podSpec } = recordAt(template, "spec");
  const claimed = listAt({ volumeClaimTemplates }, "volumeClaimTemplates");
  const names = new Set(claimed.map((claim) => stringAt(claim, "metadata", "name")));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = listAt(podSpec, "volumes").filter(
    (volume) => !names.has(stringAt(volume, "name")) || stringAt(volume, "name") === "",
  );
  const pods = claims.length === 0 ? podSpec : { ...podSpec, volumes: [...claims, ...others] };
  const fixed = old === undefined ? { volumeClaimTemplates, serviceName } : {};
  return { ...object, spec: { ...spec, ...fixed, template: { ...template, spec: pods } } };
}

const generationAnnotation = "deprecated.daemonset.template.generation";
const mutableStatefulSet =
  "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and " +
  "'minReadySeconds'";

function withAnnotation(object: UnstructuredObject, value: string): UnstructuredObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [generationAnnotation]: value };
  return { ...object, metadata: { ...metadata, annotations } };
}

function fixedStatefulSet(object: UnstructuredObject): unknown {
  const { replicas: _r, ordinals: _o, template: _t, updateStrategy: _u, ...rest } = recordAt(object, "spec");
  const { revisionHistoryLimit: _h, persistentVolumeClaimRetentionPolicy: _p, minReadySeconds: _m, ...fixed } = rest;
  return fixed;
}

const unreadable = "invalid label selector";

function isEmptySelector(selector: unknown): boolean {
  return Object.keys(recordAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0;
}

/** Whether the table of struct rules finds an error in the selector. */
function isReadable(selector: unknown): boolean {
  return (checkSelector?.(recordAt({ selector }, "selector"), "") ?? []).length === 0;
}

const checkSelector = compileStructRules(findStruct("LabelSelector"));

function validateSelector(object: UnstructuredObject): FieldError[] {
  const selector = fieldAt(object, "spec", "selector") ?? undefined;
  if (selector !== undefined && !isReadable(selector)) return [invalidField("spec.selector", selector, unreadable)];
  const errors = selector === undefined ? [requiredField("spec.selector")] : [];
  if (selector !== undefined && isEmptySelector(selector)) {
    const kind = object.kind.toLowerCase();
    errors.push(invalidField("spec.selector", selector, `empty selector is invalid for ${kind}`));
  }
  const labels = fieldAt(object, "spec", "template", "metadata", "labels");
  if (selector !== undefined && (isEmptySelector(selector) || matchesLabelSelector(selector, labels))) return errors;
  errors.push(
    invalidField(`${templateAt}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`"),
  );
  return errors;
}

/** The real server checks the labels only against a selector that it can read. */
function validateDaemonSelector(object: UnstructuredObject): FieldError[] {
  const selector = fieldAt(object, "spec", "selector") ?? undefined;
  if (selector !== undefined && !isReadable(selector)) return [];
  return validateSelector(object).filter(({ reason }) => reason !== "FieldValueRequired");
}

/** What holds for the pods of a workload beside the rules of all pods. */
function validateTemplate(object: UnstructuredObject): FieldError[] {
  const at = `${templateAt}.spec`;
  const spec = fieldAt(object, "spec", "template", "spec");
  const policy = stringAt(spec, "restartPolicy");
  const isKnown = ["Always", "OnFailure", "Never"].includes(policy);
  const errors = ephemeralErrors(spec, at);
  if (policy !== "Always" && isKnown) errors.push(unsupportedField(`${at}.restartPolicy`, policy, ["Always"]));
  if (numberAt(spec, "activeDeadlineSeconds") !== undefined) {
    errors.push(
      forbiddenField(`${at}.activeDeadlineSeconds`, "activeDeadlineSeconds in workload templates is not supported"),
    );
  }
  return errors;
}

function validateUnchanged(object: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const selector = fieldAt(object, "spec", "selector");
  if (old === undefined || equalJson(selector, fieldAt(old, "spec", "selector"))) return [];
  return [invalidField("spec.selector", selector, "field is immutable")];
}
