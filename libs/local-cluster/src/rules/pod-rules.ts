import { isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, forbiddenField, invalidField, notFoundField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  between,
  dnsLabel,
  dnsSubdomain,
  each,
  exactlyOneOf,
  firstOf,
  isAbsent,
  labels,
  moreThan,
  oneOf,
  optional,
  required,
  requiredOneOf,
  unique,
  textOf,
} from "./field-rules.ts";
import { ipAddress } from "./address-rules.ts";
import { podNetworkErrors, podNetworkRules } from "./pod-network-rules.ts";
import { podMountErrors } from "./mount-rules.ts";
import { podResourceErrors } from "./pod-resource-rules.ts";
import { podSecurityErrors, securityRules } from "./security-rules.ts";
import { containersOf } from "./containers.ts";
import { containerRules, validateContainers } from "./container-rules.ts";
import { podOverhead, resourceRules } from "./resource-rules.ts";
import { labelKey, validateToleration } from "./selector-rules.ts";
import { volumeRules } from "./volume-rules.ts";

/** Applies the rule to the name of each item; errors have the path of the item. */
function itemName(rule: FieldRule): FieldRule {
  return each((item, at, owner) => rule(isRecord(item) ? (item["name"] ?? "") : "", at, owner));
}

function validateSpread(owner: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const skew = Number(owner["maxSkew"] ?? 0);
  if (skew <= 0) errors.push(invalidField(`${at}.maxSkew`, skew, "must be greater than zero"));
  if (owner["minDomains"] !== undefined && owner["whenUnsatisfiable"] === "ScheduleAnyway")
    errors.push(
      invalidField(
        `${at}.minDomains`,
        owner["minDomains"],
        "can only use minDomains if whenUnsatisfiable=DoNotSchedule",
      ),
    );
  if (!isAbsent(owner["matchLabelKeys"]) && owner["labelSelector"] === undefined)
    errors.push(forbiddenField(`${at}.matchLabelKeys`, "must not be specified when labelSelector is not set"));
  if (isAbsent(owner["topologyKey"])) errors.push(requiredField(`${at}.topologyKey`, "can not be empty"));
  const action = owner["whenUnsatisfiable"] ?? "";
  errors.push(...exactlyOneOf("DoNotSchedule", "ScheduleAnyway")(action, `${at}.whenUnsatisfiable`, owner));
  return errors;
}

/** The real server prints a pair of fields as the place of such a duplicate. */
export const uniquePairs: FieldRule = (value, at) => {
  const seen = new Set<string>();
  return listAt(value).flatMap((item) => {
    const { topologyKey, whenUnsatisfiable } = recordAt(item);
    const key = `{${textOf(topologyKey)}, ${textOf(whenUnsatisfiable)}}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew ? [] : [duplicateField(`${at}[0].{topologyKey, whenUnsatisfiable}`, key)];
  });
};

/** Requires unique names of items; errors have the path of the item. */
const uniqueItems: FieldRule = (value, at, owner) =>
  unique("name")(value, at, owner).map((error) => ({ ...error, field: error.field.replace(/\.name$/, "") }));

const policy = oneOf("Honor", "Ignore");

/** Pods and their templates. */
export const podRules: Readonly<Record<string, StructRules>> = {
  ...containerRules,
  ...resourceRules,
  ...volumeRules,
  ...podNetworkRules,
  ...securityRules,
  PodSpec: {
    fields: {
      volumes: unique("name"),
      containers: required(),
      restartPolicy: exactlyOneOf("Always", "OnFailure", "Never"),
      activeDeadlineSeconds: between(1, 2 ** 31 - 1),
      dnsPolicy: requiredOneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
      nodeSelector: labels,
      serviceAccountName: optional(dnsSubdomain),
      nodeName: optional(dnsSubdomain),
      hostname: optional(dnsLabel),
      subdomain: optional(dnsLabel),
      tolerations: each((value, at) => validateToleration(recordAt(value), at)),
      priorityClassName: optional(dnsSubdomain),
      runtimeClassName: optional(dnsSubdomain),
      preemptionPolicy: oneOf("Never", "PreemptLowerPriority"),
      overhead: podOverhead,
      topologySpreadConstraints: uniquePairs,
      schedulingGates: all(itemName(labelKey), uniqueItems),
      resourceClaims: each(resourceClaim),
    },
    whole: (spec, at, found) => [
      ...validateContainers(spec, at, found),
      ...claimErrors(spec, at),
      ...podNetworkErrors(spec, at),
      ...podSecurityErrors(spec, at),
      ...podMountErrors(spec, at),
      ...podResourceErrors(spec, at),
      ...sleepErrors(spec, at),
    ],
  },
  Volume: { fields: { name: all(required(), optional(dnsLabel)) } },
  HostAlias: { fields: { ip: ipAddress, hostnames: each(dnsSubdomain) } },
  PodReadinessGate: { fields: { conditionType: labelKey } },
  PodOS: { fields: { name: firstOf(required(), oneOf("linux", "windows")) } },
  TopologySpreadConstraint: {
    fields: {
      minDomains: moreThan(0),
      nodeAffinityPolicy: policy,
      nodeTaintsPolicy: policy,
      matchLabelKeys: each(labelKey),
    },
    whole: validateSpread,
  },
  PodTemplateSpec: { fields: { metadata: templateMetadata } },
};

/** A container may use only the resource claims of its pod. */
function claimErrors(spec: Owner, at: string): readonly FieldError[] {
  const known = listAt(spec, "resourceClaims").map((claim) => recordAt(claim)["name"]);
  return containersOf(spec, at).flatMap(({ container, at: place }) =>
    listAt(container, "resources", "claims").flatMap((claim, i) => {
      const { name } = recordAt(claim);
      return isAbsent(name) || known.includes(name) ? [] : [notFoundField(`${place}.resources.claims[${i}]`, name)];
    }),
  );
}

const usualGraceSeconds = 30;

/** A lifecycle hook may not sleep longer than the grace period of the pod. */
function sleepErrors(spec: Owner, at: string): readonly FieldError[] {
  const most = Number(spec["terminationGracePeriodSeconds"] ?? usualGraceSeconds);
  return containersOf(spec, at).flatMap(({ container, at: place }) =>
    ["postStart", "preStop"].flatMap((hook) => {
      const lifecycle = recordAt(container, "lifecycle", hook);
      const seconds = Number(recordAt(lifecycle, "sleep")["seconds"] ?? 0);
      if (lifecycle["sleep"] === undefined || (seconds >= 0 && seconds <= most)) return [];
      const detail = `must be non-negative and at most terminationGracePeriodSeconds (${most})`;
      return [invalidField(`${place}.lifecycle.${hook}.sleep`, seconds, detail)];
    }),
  );
}

function resourceClaim(value: unknown, at: string): readonly FieldError[] {
  const claim = recordAt(value);
  const isNamed = !isAbsent(claim["name"]);
  const count = ["resourceClaimName", "resourceClaimTemplateName"].filter((field) => claim[field] !== undefined).length;
  const hasSource = count === 1;
  return [
    ...(isNamed ? [] : [requiredField(`${at}.name`)]),
    ...(hasSource
      ? []
      : [invalidField(at, "", "must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`")]),
  ];
}

/** The real server leaves out `metadata` in the places of these errors. */
function templateMetadata(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  const metadata = recordAt(value);
  const place = at.replace(/\.?metadata$/, "");
  const annotations = recordAt(metadata, "annotations");
  return [
    ...labels(metadata["labels"], `${place}.labels`, owner),
    ...Object.keys(annotations).flatMap((key) => labelKey(key.toLowerCase(), `${place}.annotations`, owner)),
  ];
}
