import { hasLeadingZeros, parseIpAddress } from "../objects/ip-address.ts";
import { isNumeric, isRecord, listAt, recordAt } from "../objects/json.ts";
import { dns1035LabelProblems, dnsSubdomainProblems, wildcardSubdomainProblems } from "../objects/validate-names.ts";
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
import { addressRange, canonicalEndpointAddress, endpointAddress, exceptionErrors } from "./address-rules.ts";
import { exactlyOneOfSet } from "./workload-rules.ts";

/** Applies the rule to a field that is a pointer in Go: an empty string counts as set. */
export function ofPointer(rule: FieldRule): FieldRule {
  return (value, at, owner) => (value === undefined || value === null ? [] : rule(value, at, owner));
}

const policy = exactlyOneOfSet("Cluster", "Local");
const protocol = exactlyOneOf("TCP", "UDP", "SCTP");

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
  if (resource !== undefined) {
    const reference = recordAt(resource);
    return ["kind", "name"]
      .filter((field) => isAbsent(reference[field]))
      .map((field) => requiredField(`${at}.resource.${field}`));
  }
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

/** Host of an Ingress: a DNS name, which may begin with a wildcard. */
const host: FieldRule = (value, at) =>
  hostProblems(textOf(value ?? "")).map((problem) => invalidField(at, value, problem));

function hostProblems(text: string): readonly string[] {
  return text.includes("*") ? wildcardSubdomainProblems(text) : dnsSubdomainProblems(text);
}

const noIpAddress: FieldRule = (value, at) =>
  parseIpAddress(textOf(value)) === undefined ? [] : [invalidField(at, value, "must be a DNS name, not an IP address")];

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
      externalIPs: each(endpointAddress),
      loadBalancerSourceRanges: printedAs(
        "LoadBalancerSourceRanges",
        each((value, at, owner) => addressRange(textOf(value).trim(), at, owner)),
      ),
      externalTrafficPolicy: optional(policy),
      internalTrafficPolicy: policy,
      ipFamilies: all(each(exactlyOneOf("IPv4", "IPv6")), unique()),
      ipFamilyPolicy: exactlyOneOfSet("SingleStack", "PreferDualStack", "RequireDualStack"),
      loadBalancerClass: ofPointer(qualifiedName),
      trafficDistribution: exactlyOneOfSet("PreferClose", "PreferSameNode", "PreferSameZone"),
      healthCheckNodePort: (value, at) =>
        isNumeric(value) && (value < 0 || value > 65_535)
          ? [invalidField(at, value, "must be between 0 and 65535, inclusive")]
          : [],
    },
  },
  ServicePort: {
    fields: { name: optional(dnsLabel), port, targetPort: portOrName, protocol, appProtocol: ofPointer(qualifiedName) },
  },
  EndpointSubset: {
    fields: { ports: endpointPorts },
    whole: ({ addresses, notReadyAddresses }, at) =>
      isAbsent(addresses) && isAbsent(notReadyAddresses)
        ? [requiredField(at, "must specify `addresses` or `notReadyAddresses`")]
        : [],
  },
  EndpointAddress: { fields: { ip: endpointAddress, hostname: optional(dnsLabel), nodeName: optional(dnsSubdomain) } },
  EndpointPort: endpointPort,
  EndpointSlice: {
    fields: {
      addressType: firstOf(required(), oneOf("FQDN", "IPv4", "IPv6")),
      ports: uniqueNames,
      endpoints: (value, at, owner) =>
        each((endpoint, place) => validateEndpoint(endpoint, place, textOf(owner["addressType"])))(value, at, owner),
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
  IngressRule: {
    fields: {
      host: optional(all(noIpAddress, host)),
    },
  },
  HTTPIngressRuleValue: { fields: { paths: required() } },
  HTTPIngressPath: { whole: validatePath },
  IngressClassSpec: {
    fields: {
      controller: firstOf(required(), atMost(250), (value, at) =>
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
    whole: ({ cidr, except }, at) => exceptionErrors(cidr, listAt(except), `${at}.except`),
  },
};

/** Refuses texts of more than `most` bytes. */
function atMost(most: number): FieldRule {
  return (value, at) => (Buffer.byteLength(textOf(value)) > most ? [tooLongField(at, most)] : []);
}

/** Ports of Endpoints: each has a number, and a name if there are several. */
function endpointPorts(value: unknown, at: string): readonly FieldError[] {
  const list = listAt(value);
  return list.flatMap((item, i) => {
    const owner = recordAt(item);
    const place = `${at}[${i}]`;
    return [
      ...(list.length > 1 && isAbsent(owner["name"]) ? [requiredField(`${place}.name`)] : []),
      ...port(owner["port"], `${place}.port`, owner),
    ];
  });
}

/** Ports of an EndpointSlice have unique names. An absent name equals an empty one. */
function uniqueNames(value: unknown, at: string): readonly FieldError[] {
  const seen = new Set<string>();
  return listAt(value).flatMap((item, i) => {
    const name = textOf(recordAt(item)["name"]);
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew ? [] : [duplicateField(`${at}[${i}].name`, name)];
  });
}

const addressRules: Readonly<Record<string, FieldRule>> = {
  IPv4: endpointAddress,
  IPv6: canonicalEndpointAddress,
  FQDN: (value, at, owner) =>
    textOf(value).includes(".")
      ? dnsSubdomain(value, at, owner)
      : [invalidField(at, value, "should be a domain with at least two segments separated by dots")],
};

function isOfOtherFamily(text: string, type: string): boolean {
  const address = parseIpAddress(text);
  if (type === "FQDN" || address === undefined) return false;
  // An IPv6 slice refuses these addresses because of their form.
  if (type === "IPv6" && (address.isMapped || hasLeadingZeros(text))) return false;
  return `IPv${address.family}` !== type;
}

const mostAddresses = 100;
const mostHints = 8;

function validateAddresses(addresses: readonly unknown[], at: string, type: string): readonly FieldError[] {
  if (addresses.length === 0) return [requiredField(at, "must contain at least 1 address")];
  if (addresses.length > mostAddresses) return [tooManyField(at, addresses.length, mostAddresses)];
  const rule = addressRules[type];
  if (rule === undefined) return [];
  return addresses.flatMap((address, i) => [
    ...rule(address, `${at}[${i}]`, {}),
    ...(isOfOtherFamily(textOf(address), type) ? [invalidField(at, address, `must be an ${type} address`)] : []),
  ]);
}

function validateHints(hints: unknown, at: string): readonly FieldError[] {
  return ["forZones", "forNodes"].flatMap((field) => {
    const list = listAt(hints, field);
    if (list.length > mostHints) return [tooManyField(`${at}.${field}`, list.length, mostHints)];
    return unique("name")(list, `${at}.${field}`, {});
  });
}

function validateEndpoint(value: unknown, at: string, type: string): readonly FieldError[] {
  const endpoint = recordAt(value);
  const { addresses, hostname, nodeName, hints } = endpoint;
  return [
    ...validateAddresses(listAt(addresses), `${at}.addresses`, type),
    ...validateHints(hints, `${at}.hints`),
    ...ofPointer(dnsLabel)(hostname, `${at}.hostname`, endpoint),
    ...ofPointer(dnsSubdomain)(nodeName, `${at}.nodeName`, endpoint),
  ];
}
