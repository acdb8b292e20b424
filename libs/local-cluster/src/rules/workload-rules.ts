import { isNumeric, isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import { containersOf } from "./containers.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  atLeast,
  dnsLabel,
  exactlyOneOf,
  firstOf,
  isAbsent,
  numberOrPercent,
  oneOf,
  optional,
  required,
  textOf,
} from "./field-rules.ts";
import { labelKey } from "./selector-rules.ts";

const zero = atLeast(0);
const share = numberOrPercent(100);
const isNone = (value: unknown): boolean => value === undefined || value === 0 || value === "0%";

/** Checks the type of an update strategy. The error has the path of the strategy. */
function strategyType(
  report: (values: readonly string[]) => FieldRule,
  ...values: readonly string[]
): (owner: Owner, at: string) => readonly FieldError[] {
  return (owner, at) => report(values)(owner["type"] ?? "", at, owner);
}

const notSupported = (values: readonly string[]): FieldRule => exactlyOneOf(...values);
const notValid =
  (values: readonly string[]): FieldRule =>
  (value, at) =>
    values.includes(textOf(value)) ? [] : [invalidField(at, value, `must be '${values.join("' or '")}'`)];

const retention = exactlyOneOf("Delete", "Retain");

/** Workloads without their pods. */
export const workloadRules: Readonly<Record<string, StructRules>> = {
  DeploymentSpec: {
    fields: {
      replicas: zero,
      minReadySeconds: zero,
      revisionHistoryLimit: zero,
      progressDeadlineSeconds: all(zero, (value, at, owner) =>
        isNumeric(value) && value <= Number(owner["minReadySeconds"] ?? 0)
          ? [invalidField(at, value, "must be greater than minReadySeconds")]
          : [],
      ),
    },
  },
  DeploymentStrategy: {
    whole: (owner, at) =>
      owner["type"] === "Recreate" && owner["rollingUpdate"] !== undefined
        ? [forbiddenField(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
        : strategyType(notSupported, "Recreate", "RollingUpdate")(owner, at),
  },
  RollingUpdateDeployment: {
    fields: { maxUnavailable: share, maxSurge: numberOrPercent() },
    whole: ({ maxUnavailable, maxSurge }, at) =>
      isNone(maxUnavailable) && isNone(maxSurge)
        ? [invalidField(`${at}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")]
        : [],
  },
  ReplicaSetSpec: { fields: { replicas: zero, minReadySeconds: zero } },
  ControllerRevision: { fields: { revision: zero } },
  ReplicationControllerSpec: { fields: { replicas: zero, minReadySeconds: zero } },
  DaemonSetSpec: { fields: { minReadySeconds: zero, revisionHistoryLimit: zero } },
  DaemonSetUpdateStrategy: { whole: strategyType(notSupported, "OnDelete", "RollingUpdate") },
  RollingUpdateDaemonSet: { fields: { maxUnavailable: share, maxSurge: share }, whole: validateDaemonSetUpdate },
  StatefulSetSpec: {
    fields: {
      replicas: zero,
      minReadySeconds: zero,
      serviceName: optional(dnsLabel),
      podManagementPolicy: notValid(["OrderedReady", "Parallel"]),
    },
  },
  StatefulSetUpdateStrategy: {
    whole: (owner, at) =>
      owner["type"] === "OnDelete" && owner["rollingUpdate"] !== undefined
        ? [
            invalidField(
              `${at}.rollingUpdate`,
              owner["rollingUpdate"],
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ]
        : strategyType(notValid, "RollingUpdate", "OnDelete")(owner, at),
  },
  RollingUpdateStatefulSetStrategy: { fields: { partition: zero, maxUnavailable: share } },
  StatefulSetPersistentVolumeClaimRetentionPolicy: { fields: { whenDeleted: retention, whenScaled: retention } },
  StatefulSetOrdinals: { fields: { start: zero } },
  JobSpec: {
    fields: {
      parallelism: zero,
      completions: zero,
      activeDeadlineSeconds: zero,
      backoffLimit: zero,
      ttlSecondsAfterFinished: zero,
      backoffLimitPerIndex: zero,
      maxFailedIndexes: zero,
      completionMode: exactlyOneOfSet("Indexed", "NonIndexed"),
      podReplacementPolicy: exactlyOneOfSet("Failed", "TerminatingOrFailed"),
      managedBy: optional(domainPrefixedPath),
    },
    whole: validateJob,
  },
  PodFailurePolicy: { fields: { rules: mostItems(20) } },
  SuccessPolicy: { fields: { rules: mostItems(20) } },
  PodFailurePolicyRule: {
    fields: {
      action: firstOf(required(), oneOf("Count", "FailIndex", "FailJob", "Ignore")),
      onPodConditions: mostItems(20),
    },
    whole: ({ onExitCodes, onPodConditions }, at) => {
      const count = [onExitCodes, onPodConditions].filter((field) => !isAbsent(field) || isRecord(field)).length;
      const text =
        count === 0
          ? "specifying one of OnExitCodes and OnPodConditions is required"
          : "specifying both OnExitCodes and OnPodConditions is not supported";
      return count === 1 ? [] : [invalidField(at, null, text)];
    },
  },
  PodFailurePolicyOnExitCodesRequirement: {
    fields: {
      operator: firstOf(required(), oneOf("In", "NotIn")),
      values: (value, at, owner) => [...mostItems(255)(value, at, owner), ...exitCodes(value, at, owner)],
    },
  },
  PodFailurePolicyOnPodConditionsPattern: {
    fields: { type: labelKey, status: firstOf(required(), oneOf("False", "True", "Unknown")) },
  },
  CronJobSpec: {
    fields: {
      startingDeadlineSeconds: zero,
      successfulJobsHistoryLimit: zero,
      failedJobsHistoryLimit: zero,
      concurrencyPolicy: requiredPolicy,
      timeZone: timeZone,
    },
  },
  PodDisruptionBudgetSpec: {
    fields: {
      minAvailable: share,
      maxUnavailable: share,
      unhealthyPodEvictionPolicy: exactlyOneOfSet("AlwaysAllow", "IfHealthyBudget"),
    },
    whole: ({ minAvailable, maxUnavailable }, at) =>
      minAvailable !== undefined && maxUnavailable !== undefined
        ? [invalidField(at, null, "minAvailable and maxUnavailable cannot be both set")]
        : [],
  },
};

function mostItems(most: number): FieldRule {
  return (value, at) => {
    const { length } = listAt(value);
    return length > most ? [tooManyField(at, length, most)] : [];
  };
}

/** Requires one of the values in a field that is a pointer in Go: it may be absent, but not empty. */
export function exactlyOneOfSet(...values: readonly string[]): FieldRule {
  return (value, at, owner) => (value === undefined || value === null ? [] : exactlyOneOf(...values)(value, at, owner));
}

const longestManager = 63;

function domainPrefixedPath(value: unknown, at: string): readonly FieldError[] {
  if (textOf(value).length > longestManager) return [tooLongField(at, longestManager)];
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[^\s]+$/.test(textOf(value))
    ? []
    : [invalidField(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}

function requiredPolicy(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  return firstOf(required(), oneOf("Allow", "Forbid", "Replace"))(value, at, owner);
}

export function timeZone(value: unknown, at: string): readonly FieldError[] {
  if (value === undefined || value === null) return [];
  const name = textOf(value);
  if (name === "") return [invalidField(at, name, "timeZone must be nil or non-empty string")];
  if (name.toLowerCase() === "local")
    return [
      invalidField(at, name, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"),
    ];
  const unknown = invalidField(at, name, `unknown time zone ${name}`);
  try {
    const found = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // Unlike Node.js, Go reads neither offsets nor names in other letters.
    const isOther = found !== name && found.toLowerCase() === name.toLowerCase();
    return isOther || /^[-+]/.test(name) ? [unknown] : [];
  } catch {
    return [unknown];
  }
}

export function validateDaemonSetUpdate({ maxUnavailable, maxSurge }: Owner, at: string): readonly FieldError[] {
  const countsAsZero = (value: unknown): boolean =>
    isNone(value) || (typeof value === "string" && !/^[0-9]+(%|$)/.test(value));
  if (countsAsZero(maxUnavailable) && countsAsZero(maxSurge)) {
    return [requiredField(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")];
  }
  if (countsAsZero(maxUnavailable) || countsAsZero(maxSurge)) return [];
  return [invalidField(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")];
}

function exitCodes(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  const codes = listAt(value);
  const errors: FieldError[] = [];
  const seen = new Set<unknown>();
  for (const [i, code] of codes.entries()) {
    if (owner["operator"] === "In" && code === 0)
      errors.push(invalidField(`${at}[${i}]`, code, "must not be 0 for the In operator"));
    if (seen.has(code)) errors.push(duplicateField(`${at}[${i}]`, code));
    seen.add(code);
  }
  if (codes.length === 0) errors.push(invalidField(at, null, "at least one value is required"));
  const isOrdered = codes.every((code, i) => i === 0 || Number(codes[i - 1]) <= Number(code));
  if (!isOrdered) errors.push(invalidField(at, codes, "must be ordered"));
  return errors;
}

const fieldsOfIndexed = ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"];

function validateJob(spec: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const completionMode = spec["completionMode"] as string | undefined; // decoded as a text
  const isIndexed = completionMode === "Indexed";
  if (!isIndexed) {
    for (const field of fieldsOfIndexed) {
      const isAllowed = field !== "successPolicy" && ![undefined, "NonIndexed"].includes(completionMode);
      if (spec[field] !== undefined && !isAllowed)
        errors.push(invalidField(`${at}.${field}`, spec[field], "requires indexed completion mode"));
    }
  }
  if (isIndexed && spec["completions"] === undefined) {
    errors.push(requiredField(`${at}.completions`, "when completion mode is Indexed"));
  }
  if (spec["maxFailedIndexes"] !== undefined) {
    if (spec["backoffLimitPerIndex"] === undefined) {
      errors.push(requiredField(`${at}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
    }
    if (isIndexed && Number(spec["maxFailedIndexes"]) > Number(spec["completions"] ?? 0)) {
      errors.push(
        invalidField(`${at}.maxFailedIndexes`, spec["maxFailedIndexes"], "must be less than or equal to completions"),
      );
    }
  }
  return [
    ...errors,
    ...(isIndexed ? indexLimits(spec, at) : []),
    ...failurePolicyErrors(spec, at),
    ...containerNames(spec, at),
    ...(isIndexed ? validateSuccess(spec, at) : []),
  ];
}

const mostIndexedPods = 100_000;
/** Limit for a Job with more than 100,000 completions and `backoffLimitPerIndex`. */
const mostPodsPerIndex = 10_000;

function indexLimits(spec: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, most: number): void => {
    if (Number(spec[field] ?? 0) > most)
      errors.push(invalidField(`${at}.${field}`, spec[field], `must be less than or equal to ${most}`));
  };
  check("parallelism", mostIndexedPods);
  check("maxFailedIndexes", mostIndexedPods);
  if (spec["backoffLimitPerIndex"] === undefined || Number(spec["completions"] ?? 0) <= mostIndexedPods) return errors;
  const detail = `must be specified when completions is above ${mostIndexedPods}`;
  if (spec["maxFailedIndexes"] === undefined) errors.push(requiredField(`${at}.maxFailedIndexes`, detail));
  check("parallelism", mostPodsPerIndex);
  check("maxFailedIndexes", mostPodsPerIndex);
  return errors;
}

/** Checks the fields of a Job that `podFailurePolicy` restricts. */
function failurePolicyErrors(spec: Owner, at: string): readonly FieldError[] {
  if (spec["podFailurePolicy"] === undefined) return [];
  const errors: FieldError[] = [];
  if (spec["podReplacementPolicy"] === "TerminatingOrFailed")
    errors.push(unsupportedField(`${at}.podReplacementPolicy`, "TerminatingOrFailed", ["Failed"]));
  const restart = textOf(recordAt(spec, "template", "spec")["restartPolicy"]);
  if (restart === "OnFailure")
    errors.push(
      invalidField(
        `${at}.template.spec.restartPolicy`,
        restart,
        'only "Never" is supported when podFailurePolicy is specified',
      ),
    );
  if (spec["backoffLimitPerIndex"] !== undefined) return errors;
  return [
    ...errors,
    ...rulesOf(spec["podFailurePolicy"]).flatMap(({ action }, i) =>
      action === "FailIndex"
        ? [
            invalidField(
              `${at}.podFailurePolicy.rules[${i}].action`,
              action,
              "requires the backoffLimitPerIndex to be set",
            ),
          ]
        : [],
    ),
  ];
}

/** Requires that rules on exit codes name a container of the template. */
function containerNames(spec: Owner, at: string): readonly FieldError[] {
  const template = recordAt(spec, "template", "spec");
  const known = containersOf(template, "").map(({ container }) => container["name"]);
  return rulesOf(spec["podFailurePolicy"]).flatMap((rule, i) => {
    const codes = rule["onExitCodes"];
    const name = isRecord(codes) ? codes["containerName"] : undefined;
    if (name === undefined || name === null || (name !== "" && known.includes(name))) return [];
    return [
      invalidField(
        `${at}.podFailurePolicy.rules[${i}].onExitCodes.containerName`,
        name,
        "must be one of the container or initContainer names in the pod template",
      ),
    ];
  });
}

function rulesOf(policy: unknown): readonly Owner[] {
  const rules = listAt(policy, "rules");
  return rules.map((rule) => recordAt(rule));
}

function validateSuccess(spec: Owner, at: string): readonly FieldError[] {
  const completions = Number(spec["completions"] ?? 0);
  if (spec["successPolicy"] !== undefined && rulesOf(spec["successPolicy"]).length === 0) {
    return [
      requiredField(
        `${at}.successPolicy.rules`,
        "at least one rules must be specified when the successPolicy is specified",
      ),
    ];
  }
  return rulesOf(spec["successPolicy"]).flatMap((rule, i) => {
    const place = `${at}.successPolicy.rules[${i}]`;
    const { succeededIndexes, succeededCount } = rule;
    const errors: FieldError[] = [];
    if (succeededIndexes === undefined && succeededCount === undefined) {
      return [requiredField(place, "at least one of succeededCount or succeededIndexes must be specified")];
    }
    let total = completions;
    if (succeededIndexes !== undefined) {
      const count = countIndexes(textOf(succeededIndexes), completions);
      if (count === undefined)
        errors.push(invalidField(`${place}.succeededIndexes`, succeededIndexes, "error parsing succeededIndexes"));
      total = count ?? 0;
    }
    if (succeededCount !== undefined) {
      const number = Number(succeededCount);
      if (number < 0)
        errors.push(invalidField(`${place}.succeededCount`, number, "must be greater than or equal to 0"));
      if (number > total)
        errors.push(invalidField(`${place}.succeededCount`, number, `must be less than or equal to ${total}`));
    }
    return errors;
  });
}

/** Counts the indexes in a text such as "1,3-5". Returns undefined if the text is malformed or unordered, or exceeds `completions`. */
export function countIndexes(text: string, completions: number): number | undefined {
  if (text === "") return 0;
  let last = -1;
  let count = 0;
  for (const part of text.split(",")) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const [first, end] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (first <= last || end < first || (part.includes("-") && end === first) || end >= completions) return undefined;
    count += end - first + 1;
    last = end;
  }
  return count;
}
