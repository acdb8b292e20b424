import { parseQuantity } from "../builtin-types/quantity.ts";
import { listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { Owner } from "./field-rules.ts";
import { isAbsent, textOf, unique } from "./field-rules.ts";
import { isStandardResource, resourceNameErrors } from "./resource-rules.ts";

/** Resources that a quota can limit, in addition to those of containers. */
const quotaNames: ReadonlySet<string> = new Set([
  "configmaps",
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
  "requests.storage",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
]);

function isQuotaName(name: string): boolean {
  return quotaNames.has(name) || isStandardResource(name) || /^(count\/|requests\.|limits\.)/.test(name);
}

/** Whether the resource counts objects. */
function isCount(name: string): boolean {
  return name.startsWith("count/") || (quotaNames.has(name) && !/^(requests|limits)\./.test(name));
}

function hardLimits(value: unknown, at: string): readonly FieldError[] {
  return Object.entries(recordAt(value)).flatMap(([name, amount]) => {
    const place = `${at}[${name}]`;
    const nanos = parseQuantity(textOf(amount));
    const errors = [...resourceNameErrors(name, place, isQuotaName)];
    if (nanos < 0n) errors.push(invalidField(place, amount, "must be greater than or equal to 0"));
    if (isCount(name) && nanos % 1_000_000_000n !== 0n) errors.push(invalidField(place, amount, "must be an integer"));
    return errors;
  });
}

const knownScopes = [
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "PriorityClass",
  "Terminating",
  "VolumeAttributesClass",
];

const podAmounts: ReadonlySet<string> = new Set([
  "cpu",
  "limits.cpu",
  "limits.memory",
  "memory",
  "pods",
  "requests.cpu",
  "requests.memory",
]);
/** Resources that a scope covers. Scopes without an entry cover the resources of pods. */
const coveredByScope: Readonly<Record<string, ReadonlySet<string>>> = {
  BestEffort: new Set(["pods"]),
  VolumeAttributesClass: new Set(["persistentvolumeclaims", "requests.storage"]),
};

/** Whether a quota can limit this resource within the scope. */
function isCovered(scope: string, name: string): boolean {
  const isStandard = quotaNames.has(name) || isStandardResource(name);
  return !isStandard || (coveredByScope[scope] ?? podAmounts).has(name);
}

const exclusive = [
  ["BestEffort", "NotBestEffort"],
  ["NotTerminating", "Terminating"],
] as const;

/** Both lists of scopes follow the same rules; the names of the selector are checked with its expressions. */
function validateQuota(spec: Owner, at: string): readonly FieldError[] {
  const scopes = listAt(spec, "scopes").map(textOf);
  const selected = listAt(spec, "scopeSelector", "matchExpressions").map((one) => textOf(recordAt(one)["scopeName"]));
  const hard = Object.keys(recordAt(spec, "hard"));
  const isUnknown = scopes.some((scope) => !knownScopes.includes(scope));
  return [
    ...(isUnknown
      ? [invalidField(`${at}.scopes`, scopes, "unsupported scope")]
      : scopeErrors(scopes, `${at}.scopes`, hard)),
    ...scopeErrors(selected, `${at}.scopeSelector.matchExpressions`, hard),
  ];
}

function scopeErrors(list: readonly string[], at: string, hard: readonly string[]): readonly FieldError[] {
  const isWrong = list.some((scope) => knownScopes.includes(scope) && hard.some((name) => !isCovered(scope, name)));
  const errors: FieldError[] = [];
  if (isWrong) errors.push(invalidField(at, list, "unsupported scope applied to resource"));
  if (exclusive.some((pair) => pair.every((scope) => list.includes(scope))))
    errors.push(invalidField(at, list, "conflicting scopes"));
  return errors;
}

/** Scopes whose expressions may have values. Other scopes allow only the operator Exists. */
const withValues = ["PriorityClass", "VolumeAttributesClass"];

/** Checks the expressions of a scope selector. Errors omit their indexes, as in the real server. */
function scopeExpressions(value: unknown, at: string): readonly FieldError[] {
  return listAt(value).flatMap((expression) => {
    const { scopeName = "", operator = "", values } = recordAt(expression);
    const errors: FieldError[] = [];
    if (!knownScopes.includes(textOf(scopeName)))
      errors.push(invalidField(`${at}.scopeName`, scopeName, "unsupported scope"));
    if (knownScopes.includes(textOf(scopeName)) && !withValues.includes(textOf(scopeName)) && operator !== "Exists") {
      errors.push(invalidField(`${at}.operator`, operator, "must be 'Exists' for this scope"));
    }
    if (["Exists", "DoesNotExist"].includes(textOf(operator)) && !isAbsent(values)) {
      errors.push(
        invalidField(`${at}.values`, values, "must be no value when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    }
    if (!["In", "NotIn", "Exists", "DoesNotExist"].includes(textOf(operator))) {
      errors.push(invalidField(`${at}.operator`, operator, "not a valid selector operator"));
    } else if (["In", "NotIn"].includes(textOf(operator)) && isAbsent(values)) {
      errors.push(
        requiredField(
          `${at}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      );
    }
    return errors;
  });
}

const limitTypes = ["Container", "PersistentVolumeClaim", "Pod"];
const limitFields = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

function validateLimit(owner: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(owner["type"] ?? "");
  if (!limitTypes.includes(type) && !type.includes("/")) {
    errors.push(invalidField(`${at}.type`, type, "must be a standard limit type or fully qualified"));
  }
  const amounts = (field: string): Owner => recordAt(owner, field);
  const read = (field: string, name: string): bigint | undefined =>
    amounts(field)[name] === undefined ? undefined : parseQuantity(textOf(amounts(field)[name]));
  const names = new Set(limitFields.flatMap((field) => Object.keys(amounts(field))));
  for (const field of limitFields) {
    for (const name of Object.keys(amounts(field))) {
      errors.push(...resourceNameErrors(name, `${at}.${field}[${name}]`, isStandardResource));
    }
  }
  const isPod = type === "Pod";
  if (isPod) {
    for (const field of ["default", "defaultRequest"]) {
      if (Object.keys(amounts(field)).length > 0)
        errors.push(forbiddenField(`${at}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (
    type === "PersistentVolumeClaim" &&
    read("min", "storage") === undefined &&
    read("max", "storage") === undefined
  ) {
    errors.push(
      requiredField(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided"),
    );
  }
  for (const name of names) errors.push(...compareLimits(at, name, (field) => read(field, name)));
  return errors;
}

/** Requires minimum <= default request <= default <= maximum for each resource. */
function compareLimits(at: string, name: string, read: (field: string) => bigint | undefined): readonly FieldError[] {
  const [max, min, usual, request, ratio] = limitFields.map((field) => read(field));
  const errors: FieldError[] = [];
  const wrong = (field: string, isWrong: boolean, detail: string): void => {
    if (isWrong) errors.push(invalidField(`${at}.${field}[${name}]`, "", detail));
  };
  const exceeds = (a: bigint | undefined, b: bigint | undefined): boolean =>
    a !== undefined && b !== undefined && a > b;
  wrong("min", exceeds(min, max), "min value is greater than max value");
  wrong("defaultRequest", exceeds(min, request), "min value is greater than default request value");
  wrong("defaultRequest", exceeds(request, max), "default request value is greater than max value");
  wrong("defaultRequest", exceeds(request, usual), "default request value is greater than default limit value");
  wrong("default", exceeds(min, usual), "min value is greater than default value");
  wrong("default", exceeds(usual, max), "default value is greater than max value");
  if (ratio === undefined) return errors;
  const one = 1_000_000_000n;
  wrong("maxLimitRequestRatio", ratio < one, "ratio is less than 1");
  const most = max === undefined || min === undefined || min === 0n ? undefined : (max * one) / min;
  wrong(
    "maxLimitRequestRatio",
    (most !== undefined && ratio > most) || (min !== undefined && min < 0n),
    "ratio is greater than max/min",
  );
  return errors;
}

/** Quotas and limits of namespaces. */
export const quotaRules: Readonly<Record<string, StructRules>> = {
  ResourceQuotaSpec: { fields: { hard: hardLimits }, whole: validateQuota },
  ScopeSelector: { fields: { matchExpressions: scopeExpressions } },
  LimitRangeSpec: { fields: { limits: unique("type") } },
  LimitRangeItem: { whole: validateLimit },
};
