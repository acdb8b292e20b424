import { isIP } from "node:net";
import { isNumeric, isRecord, recordAt } from "../objects/json.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  dnsLabel,
  dnsSubdomain,
  each,
  exactlyOneOf,
  firstOf,
  isAbsent,
  labels,
  oneOf,
  optional,
  port,
  portName,
  portNameProblems,
  portOrName,
  printedAs,
  qualifiedName,
  required,
  requiredOneOf,
  unique,
  textOf,
} from "./field-rules.ts";
import { ipAddress } from "./pod-rules.ts";
import { exactlyOneOfSet } from "./workload-rules.ts";

/** Of a pointer: an empty text is set, and wrong. */
export function ofPointer(rule: FieldRule): FieldRule {
  return (value, at, owner) => (value === undefined || value === null ? [] : rule(value, at, owner));
}

const policy = exactlyOneOfSet("Cluster", "Local");
const protocol = exactlyOneOf("TCP", "UDP", "SCTP");

/** An address range in the form of CIDR. */
export const addressRange: FieldRule = (value, at) => {
  const [address = "", bits = "", ...rest] = textOf(value ?? "").split("/");
  const family = isIP(address);
  const isValid = family !== 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return isValid
    ? []
    : [invalidField(at, value ?? "", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
};

function validatePeer(owner: Owner, at: string): readonly FieldError[] {
  const { ipBlock, podSelector, namespaceSelector } = owner;
  const selectors = [podSelector, namespaceSelector].filter((selector) => selector !== undefined);
  if (selectors.length === 0 && ipBlock === undefined) return [requiredField(at, "must specify a peer")];
  if (selectors.length > 0 && ipBlock !== undefined) {
    return [forbiddenField(at, "may not specify both ipBlock and another peer")];
  }
  return [];
}

function validateEndPort(owner: Owner, at: string): readonly FieldError[] {
  const { port: first, endPort } = owner;
  if (endPort === undefined) return [];
  const place = `${at}.endPort`;
  if (typeof first !== "number")
    return [invalidField(place, endPort, "may not be specified when `port` is non-numeric")];
  return Number(endPort) < first
    ? [invalidField(place, endPort, "must be greater than or equal to `port`")]
    : port(endPort, place, owner);
}

function validateBackend(owner: Owner, at: string): readonly FieldError[] {
  const { service, resource } = owner;
  if (service !== undefined && resource !== undefined)
    return [invalidField(at, "", "cannot set both resource and service backends")];
  if (resource !== undefined) return [];
  if (!isRecord(service)) return [invalidField(at, "", "resource or service backend is required")];
  const { name = "", port: backend = {} } = service;
  const errors: FieldError[] = [];
  if (name === "") errors.push(requiredField(`${at}.service.name`));
  else
    errors.push(
      ...dns1035LabelProblems(textOf(name)).map((problem) => invalidField(`${at}.service.name`, name, problem)),
    );
  const { name: named = "", number = 0 } = recordAt(backend);
  const place = `${at}.service.port`;
  if (named !== "" && number !== 0) return [...errors, invalidField(at, "", "cannot set both port name & port number")];
  if (named !== "")
    return [
      ...errors,
      ...portNameProblems(textOf(named)).map((problem) => invalidField(`${place}.name`, named, problem)),
    ];
  if (number === 0) return [...errors, requiredField(at, "port name or number is required")];
  return [...errors, ...port(number, `${place}.number`, service)];
}

function validatePath(owner: Owner, at: string): readonly FieldError[] {
  const { path = "", pathType } = owner;
  if (pathType === undefined || pathType === null)
    return [requiredField(`${at}.pathType`, "pathType must be specified")];
  const types = ["Exact", "ImplementationSpecific", "Prefix"];
  if (!types.includes(textOf(pathType))) return [unsupportedField(`${at}.pathType`, textOf(pathType), types)];
  const backend = validateBackend(recordAt(owner, "backend"), `${at}.backend`);
  if (pathType === "ImplementationSpecific" && path === "") return backend;
  const text = textOf(path);
  if (!text.startsWith("/")) return [invalidField(`${at}.path`, path, "must be an absolute path"), ...backend];
  const bad =
    ["//", "/./", "/../", "%2f", "%2F"].find((part) => text.includes(part)) ??
    ["/..", "/."].find((end) => text.endsWith(end));
  return bad === undefined ? backend : [invalidField(`${at}.path`, path, `must not contain '${bad}'`), ...backend];
}

/** Of an Ingress: a name, or a wildcard before one. */
const host: FieldRule = (value, at) =>
  dnsSubdomainProblems(textOf(value ?? "").replace(/^\*\./, "")).map((problem) => invalidField(at, value, problem));

const endpointPort: StructRules = {
  fields: {
    name: optional(portName),
    protocol,
    appProtocol: ofPointer(qualifiedName),
  },
};

/** Services, endpoints, ingresses and network policies. */
export const networkRules: Readonly<Record<string, StructRules>> = {
  ServiceSpec: {
    fields: {
      type: requiredOneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
      sessionAffinity: requiredOneOf("ClientIP", "None"),
      selector: labels,
      externalIPs: each(ipAddress),
      loadBalancerSourceRanges: printedAs("LoadBalancerSourceRanges", each(addressRange)),
      externalTrafficPolicy: optional(policy),
      internalTrafficPolicy: policy,
      ipFamilies: all(each(exactlyOneOf("IPv4", "IPv6")), unique()),
      ipFamilyPolicy: exactlyOneOfSet("SingleStack", "PreferDualStack", "RequireDualStack"),
      loadBalancerClass: ofPointer(qualifiedName),
      trafficDistribution: exactlyOneOfSet("PreferClose"),
      healthCheckNodePort: (value, at) =>
        isNumeric(value) && value < 0 ? [invalidField(at, value, "must be greater than or equal to 0")] : [],
    },
  },
  ServicePort: {
    fields: { name: optional(dnsLabel), port, targetPort: portOrName, protocol, appProtocol: ofPointer(qualifiedName) },
  },
  EndpointSubset: {
    fields: { ports: each((value, at, owner) => port(isRecord(value) ? value["port"] : 0, `${at}.port`, owner)) },
    whole: ({ addresses, notReadyAddresses }, at) =>
      isAbsent(addresses) && isAbsent(notReadyAddresses)
        ? [requiredField(at, "must specify `addresses` or `notReadyAddresses`")]
        : [],
  },
  EndpointAddress: { fields: { ip: ipAddress, hostname: optional(dnsLabel), nodeName: optional(dnsSubdomain) } },
  EndpointPort: endpointPort,
  EndpointSlice: {
    fields: {
      addressType: firstOf(required(), oneOf("FQDN", "IPv4", "IPv6")),
      ports: unique("name"),
      endpoints: each(validateEndpoint),
    },
  },
  IngressSpec: {
    fields: {
      ingressClassName: ofPointer(dnsSubdomain),
      defaultBackend: (value, at) => (isRecord(value) ? validateBackend(value, at) : []),
    },
    whole: ({ rules, defaultBackend }, at) =>
      isAbsent(rules) && defaultBackend === undefined
        ? [invalidField(at, [], "either `defaultBackend` or `rules` must be specified")]
        : [],
  },
  IngressTLS: { fields: { hosts: each(host), secretName: optional(dnsSubdomain) } },
  IngressRule: { fields: { host: optional(host) } },
  HTTPIngressRuleValue: { fields: { paths: required() } },
  HTTPIngressPath: { whole: validatePath },
  IngressClassSpec: {
    fields: {
      controller: firstOf(required(), (value, at) =>
        /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/\S+$/.test(textOf(value))
          ? []
          : [invalidField(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')],
      ),
    },
  },
  IngressClassParametersReference: {
    fields: {
      apiGroup: ofPointer(dnsSubdomain),
      kind: required("kind is required"),
      name: required("name is required"),
      scope: exactlyOneOfSet("Cluster", "Namespace"),
      namespace: (value, at, owner) => {
        if (owner["scope"] === "Namespace")
          return isAbsent(value)
            ? [requiredField(at, "`parameters.scope` is set to 'Namespace'")]
            : dnsLabel(value, at, owner);
        return value === undefined ? [] : [forbiddenField(at, "`parameters.scope` is set to 'Cluster'")];
      },
    },
  },
  NetworkPolicySpec: {
    fields: {
      policyTypes: all(each(exactlyOneOf("Egress", "Ingress")), (value, at) =>
        Array.isArray(value) && value.length > 2
          ? [invalidField(at, value, "may not specify more than two policyTypes")]
          : [],
      ),
    },
  },
  NetworkPolicyPeer: { whole: validatePeer },
  NetworkPolicyPort: {
    fields: {
      protocol: exactlyOneOfSet("TCP", "UDP", "SCTP"),
      port: (value, at, owner) => (value === undefined || value === null ? [] : portOrName(value, at, owner)),
    },
    whole: validateEndPort,
  },
  IPBlock: {
    fields: { cidr: firstOf(required(), addressRange), except: each(addressRange) },
  },
};

function validateEndpoint(value: unknown, at: string): readonly FieldError[] {
  const endpoint = recordAt(value);
  const { addresses, hostname, nodeName } = endpoint;
  return [
    ...required("must contain at least 1 address")(addresses, `${at}.addresses`, endpoint),
    ...each(ipAddress)(addresses, `${at}.addresses`, endpoint),
    ...ofPointer(dnsLabel)(hostname, `${at}.hostname`, endpoint),
    ...ofPointer(dnsSubdomain)(nodeName, `${at}.nodeName`, endpoint),
  ];
}
