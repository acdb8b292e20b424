import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { matchesLabelSelector } from "../selectors/match-label-selector.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import { validatePodSpec } from "./pod-spec.ts";

const templateAt = "spec.template";

/** Deployments and ReplicaSets: a selector that fits the template and never changes. */
export const deploymentStrategy: Strategy = {
  validate: (object, old) => [
    ...validateReplicas(object),
    ...validateSelector(object),
    ...validateTemplate(object),
    ...validateTolerances(object),
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
    ...validateSelector(object),
    ...validateTemplate(object),
    ...validateUnchanged(object, old),
  ],
};

/** Only some fields of a StatefulSet may change. */
export const statefulSetStrategy: Strategy = {
  prepareForCreate: withTypedClaims,
  prepareForUpdate: withTypedClaims,
  validate: (object, old) => [
    ...validateReplicas(object),
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

/** Jobs run to an end, so that their pods may not always be restarted. */
export const jobStrategy: Strategy = {
  prepareForCreate: (job) => completeJob(job),
  validate: (job, old) => [
    ...validateJobTemplate(fieldAt(job, "spec", "template"), templateAt),
    ...(old === undefined || equalJson(fieldAt(job, "spec", "selector"), fieldAt(old, "spec", "selector"))
      ? []
      : [invalidField("spec.selector", fieldAt(job, "spec", "selector"), "field is immutable")]),
  ],
};

export const cronJobStrategy: Strategy = {
  validate: (object) => [
    ...validateSchedule(stringAt(object, "spec", "schedule")),
    ...validateJobTemplate(
      fieldAt(object, "spec", "jobTemplate", "spec", "template"),
      "spec.jobTemplate.spec.template",
    ),
  ],
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

/** Pods of a job are found by its uid; the labels are the old and the new form of that. */
function completeJob(job: UnstructuredObject): UnstructuredObject {
  const spec = recordAt(job, "spec");
  if (spec["manualSelector"] === true) return job;
  const { uid = "", name = "" } = job.metadata;
  const own = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const template = recordAt(spec, "template");
  const metadata = recordAt(template, "metadata");
  const given = metadata["labels"];
  const labels = { ...recordAt(metadata, "labels"), ...own };
  const selector = { matchLabels: { "batch.kubernetes.io/controller-uid": uid } };
  const completed = {
    ...job,
    spec: { ...spec, selector, template: { ...template, metadata: { ...metadata, labels } } },
  };
  // A job without labels has those of its template: none, or by its defaults the very same ones.
  const isShared = job.metadata.labels === undefined || job.metadata.labels === given;
  return isShared ? { ...completed, metadata: { ...job.metadata, labels } } : completed;
}

function validateReplicas(object: UnstructuredObject): FieldError[] {
  const replicas = numberAt(object, "spec", "replicas") ?? 0;
  return replicas < 0 ? [invalidField("spec.replicas", replicas, "must be greater than or equal to 0")] : [];
}

/** A rolling update that may have neither a pod more nor a pod less could never begin. */
function validateTolerances(object: UnstructuredObject): FieldError[] {
  const { maxSurge, maxUnavailable } = recordAt(object, "spec", "strategy", "rollingUpdate");
  const isNone = (value: unknown): boolean => value === 0 || value === "0%";
  if (!isNone(maxSurge) || !isNone(maxUnavailable)) return [];
  const at = "spec.strategy.rollingUpdate.maxUnavailable";
  return [invalidField(at, maxUnavailable, "may not be 0 when `maxSurge` is 0")];
}

function validateSelector(object: UnstructuredObject): FieldError[] {
  const selector = fieldAt(object, "spec", "selector") ?? undefined;
  const errors = selector === undefined ? [requiredField("spec.selector")] : [];
  const labels = fieldAt(object, "spec", "template", "metadata", "labels");
  if (selector !== undefined && matchesLabelSelector(selector, labels)) return errors;
  errors.push(
    invalidField(`${templateAt}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`"),
  );
  return errors;
}

function validateTemplate(object: UnstructuredObject): FieldError[] {
  const spec = fieldAt(object, "spec", "template", "spec");
  const errors = validatePodSpec(spec, `${templateAt}.spec`);
  const policy = stringAt(spec, "restartPolicy");
  if (policy === "Always") return errors;
  return [
    ...errors.filter(({ field }) => field !== `${templateAt}.spec.restartPolicy`),
    unsupportedField(`${templateAt}.spec.restartPolicy`, policy, ["Always"]),
  ];
}

function validateUnchanged(object: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const selector = fieldAt(object, "spec", "selector");
  if (old === undefined || equalJson(selector, fieldAt(old, "spec", "selector"))) return [];
  return [invalidField("spec.selector", selector, "field is immutable")];
}

function validateJobTemplate(template: unknown, at: string): FieldError[] {
  const spec = fieldAt(template, "spec");
  const errors = validatePodSpec(spec, `${at}.spec`);
  if (stringAt(spec, "restartPolicy") !== "Always") return errors;
  return [...errors, requiredField(`${at}.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')];
}

function validateSchedule(schedule: string): FieldError[] {
  if (schedule === "") return [requiredField("spec.schedule")];
  const fields = schedule.trim().split(/\s+/);
  if (schedule.startsWith("@") || fields.length === 5) return [];
  const text = `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  return [invalidField("spec.schedule", schedule, text)];
}
