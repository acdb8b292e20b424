import { parseQuantity } from "../builtin-types/quantity.ts";
import { isNumeric, isRecord, recordAt } from "../objects/json.ts";
import { pathSegmentProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { Owner } from "./field-rules.ts";
import { exactlyOneOf, isAbsent, textOf } from "./field-rules.ts";
import { exactlyOneOfSet } from "./workload-rules.ts";

/** Field of each type of metric. */
const metricFields: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

function validateMetric(metric: Owner, at: string): readonly FieldError[] {
  const type = textOf(metric["type"] ?? "");
  const errors: FieldError[] = [];
  if (type === "") errors.push(requiredField(`${at}.type`, "must specify a metric source type"));
  const expected = metricFields[type];
  if (expected === undefined) {
    return [...errors, unsupportedField(`${at}.type`, type, Object.keys(metricFields))];
  }
  const set = Object.values(metricFields).filter((field) => isRecord(metric[field]));
  if (!set.includes(expected))
    return [
      ...errors,
      requiredField(`${at}.${expected}`, `must populate information for the given metric source`),
      ...set
        .filter((field) => !["containerResource", "resource"].includes(field))
        .flatMap((field) => validateSource(field, recordOf(metric[field]), `${at}.${field}`)),
    ];
  for (const field of set) {
    if (field === expected || !["containerResource", "resource"].includes(field))
      errors.push(...validateSource(field, recordOf(metric[field]), `${at}.${field}`));
    if (field !== expected) errors.push(forbiddenField(`${at}.${field}`, "must populate the given metric source only"));
  }
  return errors;
}

function recordOf(value: unknown): Owner {
  return recordAt(value);
}

function validateSource(field: string, source: Owner, at: string): readonly FieldError[] {
  const target = recordOf(source["target"]);
  const place = `${at}.target`;
  const errors = [...validateTarget(target, place)];
  if (field === "object") errors.push(...named(recordOf(source["describedObject"]), `${at}.describedObject`));
  if (field === "resource" || field === "containerResource") {
    if (field === "containerResource" && isAbsent(source["container"]))
      errors.push(requiredField(`${at}.container`, "must specify a container name"));
    if (isAbsent(source["name"])) errors.push(requiredField(`${at}.name`, "must specify a resource name"));
    const { averageUtilization, averageValue } = target;
    if (averageUtilization === undefined && averageValue === undefined) {
      errors.push(
        requiredField(`${place}.averageUtilization`, "must set either a target raw value or a target utilization"),
      );
    }
    if (averageUtilization !== undefined && averageValue !== undefined) {
      errors.push(
        forbiddenField(`${place}.averageValue`, "may not set both a target raw value and a target utilization"),
      );
    }
    return errors;
  }
  if (isAbsent(recordOf(source["metric"])["name"]))
    errors.push(requiredField(`${at}.metric.name`, "must specify a metric name"));
  if (field === "external" && target["value"] !== undefined && target["averageValue"] !== undefined)
    errors.push(forbiddenField(`${place}.value`, "may not set both a target value for metric and a per-pod target"));
  const isFree = field !== "pods" && target["value"] !== undefined;
  if (!isFree && target["averageValue"] === undefined) {
    errors.push(requiredField(`${place}.averageValue`, "must specify a positive target averageValue"));
  } else if (field === "pods" && parseQuantity(textOf(target["averageValue"])) <= 0n) {
    errors.push(invalidField(`${place}.averageValue`, target["averageValue"], "must be positive"));
  }
  return errors;
}

function validateTarget(target: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(target["type"] ?? "");
  if (type === "") errors.push(requiredField(`${at}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    errors.push(invalidField(`${at}.type`, type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const field of ["value", "averageValue"]) {
    const amount = target[field];
    if (amount !== undefined && parseQuantity(textOf(amount)) <= 0n)
      errors.push(invalidField(`${at}.${field}`, amount, "must be positive"));
  }
  const share = target["averageUtilization"];
  if (isNumeric(share) && share < 1)
    errors.push(invalidField(`${at}.averageUtilization`, share, "must be greater than 0"));
  return errors;
}

function named(reference: Owner, at: string): readonly FieldError[] {
  return ["kind", "name"].flatMap((field) => {
    const value = textOf(reference[field] ?? "");
    if (value === "") return [requiredField(`${at}.${field}`)];
    return pathSegmentProblems(value).map((problem) => invalidField(`${at}.${field}`, value, problem));
  });
}

function validateTargetRef(value: unknown, at: string): readonly FieldError[] {
  const reference = recordOf(value);
  const apiVersion = textOf(reference["apiVersion"] ?? "");
  const isValid = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[a-z0-9]+$/.test(apiVersion);
  return [
    ...named(reference, at),
    ...(isValid ? [] : [invalidField(`${at}.apiVersion`, apiVersion, "apiVersion must specify API group")]),
  ];
}

const longestWindow = 3600;
const longestPeriod = 1800;

/** HorizontalPodAutoscalers. */
export const autoscalingRules: Readonly<Record<string, StructRules>> = {
  HorizontalPodAutoscalerSpec: {
    fields: { scaleTargetRef: validateTargetRef },
    whole: ({ minReplicas, maxReplicas, metrics }, at) => {
      const errors: FieldError[] = [];
      const [min, max] = [Number(minReplicas ?? 1), Number(maxReplicas ?? 0)];
      if (min < 1) errors.push(invalidField(`${at}.minReplicas`, min, "must be greater than or equal to 1"));
      if (max < 1) errors.push(invalidField(`${at}.maxReplicas`, max, "must be greater than 0"));
      else if (max < min)
        errors.push(invalidField(`${at}.maxReplicas`, max, "must be greater than or equal to `minReplicas`"));
      const hasOther =
        Array.isArray(metrics) &&
        metrics.some((metric) => ["External", "Object"].includes(textOf(recordOf(metric)["type"])));
      if (min === 0 && !hasOther)
        errors.push(
          forbiddenField(
            `${at}.metrics`,
            "must specify at least one Object or External metric to support scaling to zero replicas",
          ),
        );
      return errors;
    },
  },
  MetricSpec: { whole: validateMetric },
  HPAScalingRules: {
    fields: {
      selectPolicy: exactlyOneOfSet("Disabled", "Max", "Min"),
      stabilizationWindowSeconds: (value, at) =>
        isNumeric(value) && (value < 0 || value > longestWindow)
          ? [invalidField(at, value, `must be between 0 and ${longestWindow}`)]
          : [],
      policies: (value, at) =>
        Array.isArray(value) && value.length === 0 ? [requiredField(at, "must specify at least one Policy")] : [],
    },
  },
  HPAScalingPolicy: {
    fields: { type: exactlyOneOf("Percent", "Pods") },
    whole: ({ value = 0, periodSeconds = 0 }, at) => [
      ...(Number(value) <= 0 ? [invalidField(`${at}.value`, value, "must be greater than zero")] : []),
      ...(Number(periodSeconds) <= 0 || Number(periodSeconds) > longestPeriod
        ? [invalidField(`${at}.periodSeconds`, periodSeconds, `must be greater than zero and at most ${longestPeriod}`)]
        : []),
    ],
  },
};
