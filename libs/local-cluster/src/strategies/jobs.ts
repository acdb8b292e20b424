import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { dnsLabelProblems, dnsSubdomainProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { matchesLabelSelector } from "../selectors/match-label-selector.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import { ephemeralErrors } from "./pod.ts";

/** Pods of Jobs must not have restartPolicy Always. */
export const jobStrategy: Strategy = {
  prepareForCreate: (job) => completeJob(job),
  validate: (job, old) => [
    ...validateJobTemplate(fieldAt(job, "spec", "template"), "spec.template"),
    ...validateSelector(job),
    ...(old === undefined ? validateIndexedName(job) : validateUpdate(job, old)),
  ],
};

export const cronJobStrategy: Strategy = {
  validateName: (name) => [
    ...dnsSubdomainProblems(name),
    ...(name.length > longestCronJob ? [`must be no more than ${longestCronJob} characters`] : []),
  ],
  validate: (object, old) => [
    ...validateSchedule(stringAt(object, "spec", "schedule"), stringAt(old, "spec", "schedule")),
    ...validateGenerated(recordAt(object, "spec", "jobTemplate", "spec")),
    ...validateJobTemplate(
      fieldAt(object, "spec", "jobTemplate", "spec", "template"),
      "spec.jobTemplate.spec.template",
    ),
  ],
};

/** The Jobs of a CronJob get their selectors from the server. */
function validateGenerated({ selector, manualSelector }: Readonly<Record<string, unknown>>): FieldError[] {
  const at = "spec.jobTemplate.spec";
  const errors: FieldError[] = [];
  if (selector !== undefined)
    errors.push(invalidField(`${at}.selector`, selector, "`selector` will be auto-generated"));
  if (manualSelector === true) errors.push(unsupportedField(`${at}.manualSelector`, "true", ["nil", "false"]));
  return errors;
}

/** The names of its Jobs have eleven characters more. */
const longestCronJob = 52;

/** Labels of the pods of a Job. */
const jobLabels = (uid: string, name: string) => ({
  "batch.kubernetes.io/controller-uid": uid,
  "batch.kubernetes.io/job-name": name,
  "controller-uid": uid,
  "job-name": name,
});

/** Pods of a job are found by its uid; the labels are the old and the new form of that. */
function completeJob(job: UnstructuredObject): UnstructuredObject {
  const spec = recordAt(job, "spec");
  if (spec["manualSelector"] === true) return job;
  const { uid = "", name = "" } = job.metadata;
  const template = recordAt(spec, "template");
  const metadata = recordAt(template, "metadata");
  const given = metadata["labels"];
  const labels = { ...recordAt(metadata, "labels"), ...jobLabels(uid, name) };
  const asked = recordAt(spec, "selector");
  const matchLabels = { ...recordAt(asked, "matchLabels"), "batch.kubernetes.io/controller-uid": uid };
  const selector = { ...asked, matchLabels };
  const completed = {
    ...job,
    spec: { ...spec, selector, template: { ...template, metadata: { ...metadata, labels } } },
  };
  // A job without labels has those of its template: none, or by its defaults the very same ones.
  const isShared = job.metadata.labels === undefined || job.metadata.labels === given;
  return isShared ? { ...completed, metadata: { ...job.metadata, labels } } : completed;
}

/** The pods of an indexed Job are named by it and their index. */
function validateIndexedName(job: UnstructuredObject): FieldError[] {
  const completions = numberAt(job, "spec", "completions") ?? 0;
  if (stringAt(job, "spec", "completionMode") !== "Indexed" || completions <= 0) return [];
  const { name = "" } = job.metadata;
  return dnsLabelProblems(`${name}-${completions - 1}`).map((problem) => invalidField("metadata.name", name, problem));
}

function isGenerated(selector: unknown): boolean {
  const names = Object.keys(recordAt(selector, "matchLabels"));
  const isOwn = names.length === 1 && names.every((name) => name.endsWith("controller-uid"));
  return isOwn && listAt(selector, "matchExpressions").length === 0;
}

function validateSelector(job: UnstructuredObject): FieldError[] {
  const spec = recordAt(job, "spec");
  const labels = recordAt(spec, "template", "metadata", "labels");
  const isManual = spec["manualSelector"] === true;
  const errors = isManual
    ? []
    : Object.keys(jobLabels("", ""))
        .filter((label) => labels[label] === undefined)
        .map((label) =>
          requiredField(
            `spec.template.metadata.labels[${label}]`,
            "must be present for automatically generated selectors",
          ),
        );
  if (spec["selector"] === undefined) errors.push(requiredField("spec.selector"));
  else if (!isManual && !isGenerated(spec["selector"]))
    errors.push(invalidField("spec.selector", spec["selector"], "`selector` not auto-generated"));
  if (matchesLabelSelector(spec["selector"] ?? { matchLabels: { none: "none" } }, labels)) return errors;
  return [
    ...errors,
    invalidField("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"),
  ];
}

/** What a suspended Job that has not started may change in its template; see `withoutMutable`. */
const mutableOfSuspended = ["nodeSelector", "affinity", "tolerations", "schedulingGates"];

const immutable = [
  "selector",
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
];

function validateUpdate(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [recordAt(job, "spec"), recordAt(old, "spec")];
  const changed = immutable.filter((field) => !equalJson(spec[field], before[field]));
  if (!equalJson(spec["completions"], before["completions"]) && !mayScale(spec)) changed.push("completions");
  const isUnstarted = before["suspend"] === true && fieldAt(old, "status", "startTime") === undefined;
  const [template, former] = isUnstarted
    ? [withoutMutable(spec["template"]), withoutMutable(before["template"])]
    : [spec["template"], before["template"]];
  if (!equalJson(template, former)) changed.push("template");
  return changed.map((field) => invalidField(`spec.${field}`, spec[field] ?? null, "field is immutable"));
}

/** An indexed Job changes its completions together with its parallelism. */
function mayScale(spec: Readonly<Record<string, unknown>>): boolean {
  const { completions, completionMode, parallelism } = spec;
  return completionMode === "Indexed" && (completions === undefined || completions === parallelism);
}

/** The template without what its scheduler reads. */
function withoutMutable(template: unknown): unknown {
  const { metadata, spec, ...rest } = recordAt({ template }, "template");
  const { labels: _labels, annotations: _annotations, ...meta } = recordAt({ metadata }, "metadata");
  const kept = Object.entries(recordAt({ spec }, "spec")).filter(([field]) => !mutableOfSuspended.includes(field));
  return { ...rest, metadata: meta, spec: Object.fromEntries(kept) };
}

function validateJobTemplate(template: unknown, at: string): FieldError[] {
  const spec = fieldAt(template, "spec");
  const errors = ephemeralErrors(spec, `${at}.spec`);
  const policy = stringAt(spec, "restartPolicy");
  if (policy === "Always") errors.push(requiredField(`${at}.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'));
  if (policy === "Never") errors.push(...resizeErrors(spec, `${at}.spec`));
  return errors;
}

/** Containers that are never restarted have no policy for resizing. */
function resizeErrors(spec: unknown, at: string): FieldError[] {
  return listAt(spec, "containers").flatMap((container, i) =>
    listAt(container, "resizePolicy").length === 0
      ? []
      : [invalidField(`${at}.containers[${i}].resizePolicy`, null, "must be empty when restartPolicy is Never")],
  );
}

function validateSchedule(schedule: string, before: string): FieldError[] {
  if (schedule === "") return [requiredField("spec.schedule")];
  if (schedule.includes("TZ") && !before.includes("TZ"))
    return [
      invalidField("spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"),
    ];
  const problem = scheduleProblem(schedule);
  return problem === undefined ? [] : [invalidField("spec.schedule", schedule, problem)];
}
