import { parseIpAddress } from "../objects/ip-address.ts";
import { isNumeric, isRecord, listAt, recordAt } from "../objects/json.ts";
import { dns1035LabelProblems, dnsLabelProblems, dnsSubdomainProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  atLeast,
  each,
  exactlyOneOf,
  firstOf,
  isAbsent,
  moreThan,
  oneOf,
  required,
  requiredOneOf,
  textOf,
} from "./field-rules.ts";
import { addressRange } from "./address-rules.ts";
import { quotaRules } from "./quota-rules.ts";
import { labelKey, taintEffects } from "./selector-rules.ts";
import { exactlyOneOfSet } from "./workload-rules.ts";
import { labelValue } from "./field-rules.ts";

const rbacGroup = "rbac.authorization.k8s.io";
/** API group of each kind of subject. */
const subjectGroups: Readonly<Record<string, string>> = { ServiceAccount: "", User: rbacGroup, Group: rbacGroup };

function validateSubject(owner: Owner, at: string): readonly FieldError[] {
  const { kind = "", name = "", apiGroup = "" } = owner;
  const errors: FieldError[] = [];
  if (name === "") errors.push(requiredField(`${at}.name`));
  const group = subjectGroups[textOf(kind)];
  if (group === undefined) return [...errors, unsupportedField(`${at}.kind`, textOf(kind), Object.keys(subjectGroups))];
  if (apiGroup !== group) errors.push(unsupportedField(`${at}.apiGroup`, textOf(apiGroup), [group]));
  if (kind === "ServiceAccount" && name !== "") {
    errors.push(...dnsSubdomainProblems(textOf(name)).map((problem) => invalidField(`${at}.name`, name, problem)));
  }
  return errors;
}

/** Errors of taints have the path `metadata.taints`, as in the real server. */
function validateTaints(value: unknown): readonly FieldError[] {
  const at = "metadata.taints";
  const seen = new Set<string>();
  return listAt(value).flatMap((taint, i) => {
    const owner = recordAt(taint);
    const { key = "", effect = "" } = owner;
    const place = `${at}[${i}]`;
    const errors = [
      ...labelKey(key, `${place}.key`, owner),
      ...labelValue(owner["value"], `${place}.value`, owner),
      ...firstOf(required(), oneOf(...taintEffects))(effect, `${place}.effect`, owner),
    ];
    const pair = `${textOf(key)}/${textOf(effect)}`;
    if (seen.has(pair)) errors.push(duplicateField(place, pair));
    seen.add(pair);
    return errors;
  });
}

const podRanges: FieldRule = (value, at, owner) => {
  const ranges = listAt(value);
  const errors = ranges.flatMap((range, i) => addressRange(range, `${at}[${i}]`, owner));
  const families = new Set(ranges.map((range) => parseIpAddress(textOf(range).split("/")[0] ?? "")?.family));
  if (ranges.length > 1 && families.size !== ranges.length)
    errors.push(invalidField(at, ranges, "may specify no more than one CIDR for each IP family"));
  return errors;
};

const webhookFields: Readonly<Record<string, FieldRule>> = {
  failurePolicy: exactlyOneOfSet("Fail", "Ignore"),
  matchPolicy: exactlyOneOfSet("Equivalent", "Exact"),
  sideEffects: (value, at, owner) =>
    value === undefined || value === null
      ? [requiredField(at, "must specify one of None, NoneOnDryRun")]
      : exactlyOneOf("None", "NoneOnDryRun")(value, at, owner),
  admissionReviewVersions: reviewVersions,
  timeoutSeconds: (value, at) =>
    isNumeric(value) && (value < 1 || value > 30)
      ? [invalidField(at, value, "the timeout value must be between 1 and 30 seconds")]
      : [],
};

/** Requires a webhook to support v1 or v1beta1 of AdmissionReview, as the real server does. */
function reviewVersions(value: unknown, at: string): readonly FieldError[] {
  const versions = listAt(value);
  if (versions.length === 0) {
    return [requiredField(at, "must specify one of v1, v1beta1")];
  }
  const seen = new Set<unknown>();
  const errors = versions.flatMap((version, i) => {
    const problems = dns1035LabelProblems(textOf(version)).map((problem) =>
      invalidField(`${at}[${i}]`, version, problem),
    );
    if (seen.has(version)) problems.push(invalidField(`${at}[${i}]`, version, "duplicate version"));
    seen.add(version);
    return problems;
  });
  if (versions.some((version) => ["v1", "v1beta1"].includes(textOf(version)))) return errors;
  return [...errors, invalidField(at, versions, "must include at least one of v1, v1beta1")];
}

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

function validateWebhookRule(owner: Owner, at: string): readonly FieldError[] {
  const listOf = (field: string): readonly unknown[] => listAt(owner, field);
  const errors: FieldError[] = [];
  for (const field of ["apiGroups", "apiVersions", "operations", "resources"]) {
    const list = listOf(field);
    if (list.length === 0) errors.push(requiredField(`${at}.${field}`));
    if (field === "resources") for (const error of overlaps(list, `${at}.resources`)) errors.push(error);
    else if (list.length > 1 && list.includes("*")) {
      errors.push(invalidField(`${at}.${field}`, list, "if '*' is present, must not specify other values"));
    }
    if (field === "apiGroups" || field === "operations") continue;
    for (const [i, entry] of list.entries()) if (entry === "") errors.push(requiredField(`${at}.${field}[${i}]`));
  }
  for (const [i, operation] of listOf("operations").entries()) {
    if (!operations.includes(textOf(operation))) {
      errors.push(unsupportedField(`${at}.operations[${i}]`, textOf(operation), operations));
    }
  }
  return [...errors, ...exactlyOneOfSet("*", "Cluster", "Namespaced")(owner["scope"], `${at}.scope`, owner)];
}

/** Rejects wildcards of resources together with resources that they cover. */
function overlaps(list: readonly unknown[], at: string): readonly FieldError[] {
  const names = list.map(textOf);
  const known = new Set(names);
  const has = (name: string): boolean => known.has(name);
  const errors = names.flatMap((name, i) => {
    const [resource = "", subresource] = name.split("/");
    const isCovered =
      subresource !== undefined &&
      [`*/${subresource}`, `${resource}/*`].some(
        (wildcard) => wildcard !== name && wildcard !== "*/*" && has(wildcard),
      );
    return isCovered ? [invalidField(`${at}[${i}]`, name, "a wildcard covers this resource")] : [];
  });
  if (has("*/*") && names.length > 1)
    errors.push(invalidField(at, list, "if '*/*' is present, must not specify other resources"));
  if (has("*") && names.some((name) => name !== "*" && !name.includes("/")))
    errors.push(invalidField(at, list, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}

/** Reports an unreadable selector also as a whole. */
function validateAggregation(
  { clusterRoleSelectors }: Owner,
  at: string,
  found: readonly FieldError[],
): readonly FieldError[] {
  return listAt(clusterRoleSelectors).flatMap((selector, i) => {
    const place = `${at}.clusterRoleSelectors[${i}]`;
    const isBad = found.some(({ field }) => field.startsWith(`${place}.`));
    return isBad ? [invalidField(place, selector, "invalid label selector")] : [];
  });
}

/** Roles, quotas, limits, nodes, priorities, leases and admission. */
export const policyRules: Readonly<Record<string, StructRules>> = {
  Subject: { whole: validateSubject },
  RoleRef: { fields: { apiGroup: exactlyOneOf(rbacGroup), name: required() } },
  AggregationRule: {
    fields: {
      clusterRoleSelectors: required("at least one clusterRoleSelector required if aggregationRule is non-nil"),
    },
    whole: validateAggregation,
  },
  ...quotaRules,
  NodeSpec: { fields: { podCIDRs: podRanges, taints: validateTaints } },
  LeaseSpec: { fields: { leaseDurationSeconds: moreThan(0), leaseTransitions: atLeast(0) } },
  PriorityClass: {
    fields: {
      preemptionPolicy: firstOf(
        (value, at) => (value === "" ? [requiredField(at)] : []),
        oneOf("Never", "PreemptLowerPriority"),
      ),
    },
  },
  MatchResources: { fields: { matchPolicy: requiredOneOf("Exact", "Equivalent") } },
  ValidatingWebhook: { fields: webhookFields },
  MutatingWebhook: { fields: { ...webhookFields, reinvocationPolicy: exactlyOneOfSet("IfNeeded", "Never") } },
  RuleWithOperations: { whole: validateWebhookRule },
  ParamKind: { fields: { apiVersion: required(), kind: required() } },
  WebhookClientConfig: {
    fields: {
      url: (value, at) =>
        /^https:\/\/(\/|$)/.test(textOf(value)) ? [invalidField(at, value, "host must be specified")] : [],
    },
  },
  ParamRef: {
    fields: { parameterNotFoundAction: firstOf(required(), exactlyOneOfSet("Allow", "Deny")) },
    whole: validateParamRef,
  },
  Validation: { fields: { reason: exactlyOneOfSet("Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized") } },
  ValidatingAdmissionPolicySpec: {
    fields: {
      failurePolicy: (value, at) => (value === "" ? [unsupportedField(at, "", ["Fail", "Ignore"])] : []),
      auditAnnotations: each(() => []),
    },
  },
  AuditAnnotation: { fields: { valueExpression: required() } },
  APIServiceSpec: {
    fields: {
      groupPriorityMinimum: inRange(20_000),
      versionPriority: inRange(1000),
      version: (value, at) =>
        dnsLabelProblems(textOf(value ?? "")).map((problem) => invalidField(at, value ?? "", problem)),
    },
    whole: validateApiService,
  },
};

function validateParamRef({ name, selector }: Owner, at: string): readonly FieldError[] {
  if (isAbsent(name)) {
    return selector === undefined ? [requiredField(at, "one of name or selector must be specified")] : [];
  }
  if (selector === undefined) return [];
  return ["name", "selector"].map((field) =>
    forbiddenField(`${at}.${field}`, "name and selector are mutually exclusive"),
  );
}

function inRange(most: number): FieldRule {
  return (value, at) => {
    const number = isNumeric(value) ? value : 0;
    return number > 0 && number <= most ? [] : [invalidField(at, number, `must be positive and less than ${most}`)];
  };
}

function validateApiService(owner: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { group = "", version, service, insecureSkipTLSVerify, caBundle } = owner;
  if (group === "" && version !== "v1")
    errors.push(requiredField(`${at}.group`, "only v1 may have an empty group and it better be legacy kube"));
  if (group !== "")
    errors.push(...dnsSubdomainProblems(textOf(group)).map((problem) => invalidField(`${at}.group`, group, problem)));
  if (!isRecord(service)) {
    if (insecureSkipTLSVerify === true)
      errors.push(
        invalidField(`${at}.insecureSkipTLSVerify`, true, "local APIServices may not have insecureSkipTLSVerify"),
      );
    if (!isAbsent(caBundle))
      errors.push(invalidField(`${at}.caBundle`, "", "local APIServices may not have a caBundle"));
    return errors;
  }
  for (const field of ["name", "namespace"])
    if (isAbsent(service[field])) errors.push(requiredField(`${at}.service.${field}`));
  const port = service["port"] ?? 443;
  if (Number(port) < 1 || Number(port) > 65_535)
    errors.push(invalidField(`${at}.service.port`, port, "port is not valid: must be between 1 and 65535, inclusive"));
  if (insecureSkipTLSVerify === true && !isAbsent(caBundle))
    errors.push(invalidField(`${at}.insecureSkipTLSVerify`, true, "may not be true if caBundle is present"));
  return errors;
}
