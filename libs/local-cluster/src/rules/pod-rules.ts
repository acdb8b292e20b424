import { isIP } from "node:net";
import { isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, invalidField, requiredField } from "../status/field-error.ts";
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
import { containerRules, validateContainers } from "./container-rules.ts";
import { podOverhead, resourceRules } from "./resource-rules.ts";
import { labelKey, validateToleration } from "./selector-rules.ts";
import { volumeRules } from "./volume-rules.ts";

export const ipAddress: FieldRule = (value, at) =>
  isIP(textOf(value ?? "")) === 0
    ? [invalidField(at, value ?? "", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")]
    : [];

/** The name of an item, printed at the item. */
function itemName(rule: FieldRule): FieldRule {
  return each((item, at, owner) => rule(isRecord(item) ? (item["name"] ?? "") : "", at, owner));
}

function validateSpread(owner: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const skew = Number(owner["maxSkew"] ?? 0);
  if (skew <= 0) errors.push(invalidField(`${at}.maxSkew`, skew, "must be greater than zero"));
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

function hostNetworkErrors(spec: Owner, at: string): readonly FieldError[] {
  const context = recordAt(spec, "securityContext");
  const sysctls = listAt(context, "sysctls");
  if (spec["hostNetwork"] !== true) return [];
  return sysctls.flatMap((sysctl, i) => {
    const name = isRecord(sysctl) ? textOf(sysctl["name"] ?? "") : "";
    if (!name.startsWith("net.")) return [];
    return [
      invalidField(
        `${at}.securityContext.sysctls[${i}].name`,
        name,
        "may not be specified when 'hostNetwork' is set to true",
      ),
    ];
  });
}

const policy = oneOf("Honor", "Ignore");

/** Pods and their templates. */
export const podRules: Readonly<Record<string, StructRules>> = {
  ...containerRules,
  ...resourceRules,
  ...volumeRules,
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
      schedulingGates: itemName(labelKey),
      resourceClaims: each(resourceClaim),
    },
    whole: (spec, at, found) => [...validateContainers(spec, at, found), ...hostNetworkErrors(spec, at)],
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

function resourceClaim(value: unknown, at: string): readonly FieldError[] {
  const claim = recordAt(value);
  const isNamed = !isAbsent(claim["name"]);
  const hasSource = claim["resourceClaimName"] !== undefined || claim["resourceClaimTemplateName"] !== undefined;
  return [
    ...(isNamed ? [] : [requiredField(`${at}.name`)]),
    ...(hasSource
      ? []
      : [invalidField(at, "", "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")]),
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
