import type { UnstructuredObject } from "@landscaper/api";
import { parseIpAddress, parseIpRange } from "../objects/ip-address.ts";
import { equalJson, fieldAt, isNumeric, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { dnsSubdomainProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import { needsExternalPolicy, needsHealthCheckPort, nodePortOf } from "./service-fields.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Rules between the fields of a Service; those of single fields are in the table of the struct. Models ValidateService. */
export function validateService(service: UnstructuredObject, old?: UnstructuredObject): readonly FieldError[] {
  const spec = recordAt(service, "spec");
  return [
    ...validateAddresses(spec),
    ...validatePorts(spec),
    ...validateType(spec),
    ...validateAffinity(spec),
    ...validateBalancerFields(spec),
    ...validateRangeAnnotation(service),
    ...validateExternalPolicy(spec),
    ...(old === undefined ? [] : validateUnchanged(spec, recordAt(old, "spec"))),
  ];
}

function validateAddresses(spec: Spec): FieldError[] {
  const [clusterIP, addresses] = [stringAt(spec, "clusterIP"), listAt(spec, "clusterIPs")];
  const [first = clusterIP] = addresses;
  const errors = [first, ...addresses.slice(1)].flatMap((address, i) => {
    const isUnset = address === "" && addresses.length === 0;
    if (isUnset || address === "None" || parseIpAddress(String(address)) !== undefined) return [];
    return [
      invalidField(`spec.clusterIPs[${i}]`, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
    ];
  });
  if (first === clusterIP) return errors;
  return [...errors, invalidField("spec.clusterIPs", addresses, "first value must match `clusterIP`")];
}

function validatePorts(spec: Spec): FieldError[] {
  const ports = listAt(spec, "ports");
  const isHeadless = stringAt(spec, "clusterIP") === "None";
  if (ports.length === 0) {
    return isHeadless || stringAt(spec, "type") === "ExternalName" ? [] : [requiredField("spec.ports")];
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  const nodePorts = new Set<string>();
  return ports.flatMap((port, i) => {
    const at = `spec.ports[${i}]`;
    const name = stringAt(port, "name");
    const errors: FieldError[] = [];
    if (name === "" && ports.length > 1) errors.push(requiredField(`${at}.name`));
    if (name !== "" && names.has(name)) errors.push(duplicateField(`${at}.name`, name));
    names.add(name);
    const nodePort = nodePortOf(port);
    const protocol = stringAt(port, "protocol");
    if (nodePort !== 0 && stringAt(spec, "type") === "ClusterIP") {
      errors.push(forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    if (nodePort !== 0 && nodePorts.has(`${nodePort}/${protocol}`)) {
      errors.push(duplicateField(`${at}.nodePort`, nodePort));
    }
    nodePorts.add(`${nodePort}/${protocol}`);
    const key = `${numberAt(port, "port") ?? 0}/${protocol}`;
    if (seen.has(key)) errors.push(duplicateField(at, { port: numberAt(port, "port") ?? 0, protocol }));
    seen.add(key);
    return errors;
  });
}

function validateType(spec: Spec): FieldError[] {
  const type = stringAt(spec, "type");
  if (type === "ExternalName") return validateExternalName(spec);
  if (stringAt(spec, "clusterIP") !== "None" || !["LoadBalancer", "NodePort"].includes(type)) return [];
  return [invalidField("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)];
}

function validateExternalName(spec: Spec): FieldError[] {
  const unused = [
    ["clusterIPs", listAt(spec, "clusterIPs").length > 0 || stringAt(spec, "clusterIP") !== ""],
    ["ipFamilies", listAt(spec, "ipFamilies").length > 0],
    ["ipFamilyPolicy", stringAt(spec, "ipFamilyPolicy") !== ""],
  ] as const;
  const name = stringAt(spec, "externalName").replace(/\.$/, "");
  return [
    ...unused
      .filter(([, isSet]) => isSet)
      .map(([field]) => forbiddenField(`spec.${field}`, "may not be set for ExternalName services")),
    ...(name === ""
      ? [requiredField("spec.externalName")]
      : dnsSubdomainProblems(name).map((problem) => invalidField("spec.externalName", name, problem))),
  ];
}

const longestAffinity = 86_400;

function validateAffinity(spec: Spec): FieldError[] {
  const at = "spec.sessionAffinityConfig";
  const config = spec["sessionAffinityConfig"];
  const affinity = stringAt(spec, "sessionAffinity");
  if (affinity === "None" && config !== undefined) {
    return [forbiddenField(at, "must not be set when session affinity is None")];
  }
  if (affinity !== "ClientIP") return [];
  const seconds = fieldAt(config, "clientIP", "timeoutSeconds");
  if (!isNumeric(seconds)) return [requiredField(at, "when session affinity type is ClientIP")];
  if (seconds > 0 && seconds <= longestAffinity) return [];
  return [
    invalidField(`${at}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${longestAffinity}`),
  ];
}

function validateBalancerFields(spec: Spec): FieldError[] {
  const isBalancer = stringAt(spec, "type") === "LoadBalancer";
  const fields = ["loadBalancerSourceRanges", "allocateLoadBalancerNodePorts", "loadBalancerClass"];
  if (isBalancer) return [];
  return fields
    .filter((field) => spec[field] !== undefined)
    .map((field) => forbiddenField(`spec.${asPrinted(field)}`, "may only be used when `type` is 'LoadBalancer'"));
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** The older form of loadBalancerSourceRanges. */
function validateRangeAnnotation({ metadata, spec }: UnstructuredObject): FieldError[] {
  const text = stringAt(metadata, "annotations", rangesAnnotation);
  if (text === "" || listAt(spec, "loadBalancerSourceRanges").length > 0) return [];
  const isValid = text.split(",").every((range) => parseIpRange(range.trim()) !== undefined);
  return isValid
    ? []
    : [
        invalidField(
          `metadata.annotations[${rangesAnnotation}]`,
          text,
          "must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24",
        ),
      ];
}

/** The real server prints one of the fields by the name that it has in Go. */
function asPrinted(field: string): string {
  return field === "loadBalancerSourceRanges" ? "LoadBalancerSourceRanges" : field;
}

function validateExternalPolicy(spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  if (!needsExternalPolicy(spec) && spec["externalTrafficPolicy"] !== undefined) {
    errors.push(
      invalidField(
        "spec.externalTrafficPolicy",
        spec["externalTrafficPolicy"],
        "may only be set for externally-accessible services",
      ),
    );
  }
  const port = spec["healthCheckNodePort"];
  if (port !== undefined && !needsHealthCheckPort(spec)) {
    errors.push(
      invalidField(
        "spec.healthCheckNodePort",
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  }
  return errors;
}

function validateUnchanged(spec: Spec, before: Spec): FieldError[] {
  const hasAddress = (of: Spec): boolean => stringAt(of, "type") !== "ExternalName" && stringAt(of, "clusterIP") !== "";
  const errors: FieldError[] = [];
  const clusterIP = stringAt(spec, "clusterIP");
  const [first = clusterIP] = listAt(spec, "clusterIPs");
  if (first === clusterIP && hasAddress(spec) && hasAddress(before) && clusterIP !== stringAt(before, "clusterIP")) {
    errors.push(invalidField("spec.clusterIPs[0]", [clusterIP], "may not change once set"));
  }
  const keepsHealthPort = needsHealthCheckPort(spec) && needsHealthCheckPort(before);
  if (keepsHealthPort && !equalJson(spec["healthCheckNodePort"], before["healthCheckNodePort"])) {
    errors.push(forbiddenField("spec.healthCheckNodePort", "field is immutable"));
  }
  const isBalancer = [spec, before].every((of) => stringAt(of, "type") === "LoadBalancer");
  if (isBalancer && !equalJson(spec["loadBalancerClass"], before["loadBalancerClass"])) {
    errors.push(invalidField("spec.loadBalancerClass", spec["loadBalancerClass"] ?? null, "may not change once set"));
  }
  return errors;
}
