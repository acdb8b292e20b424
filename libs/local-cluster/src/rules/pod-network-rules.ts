import { isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import { ipAddress } from "./address-rules.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import { containersOf } from "./containers.ts";
import type { Owner } from "./field-rules.ts";
import { each, isAbsent, textOf } from "./field-rules.ts";

const mostServers = 3;
const mostSearches = 32;
const mostSearchCharacters = 2048;
/** Search paths may have underscores, and a dot at their end. */
const searchPath = /^[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*$/;

function searchErrors(value: unknown, at: string): readonly FieldError[] {
  const searches = listAt(value).map(textOf);
  const errors: FieldError[] = [];
  if (searches.length > mostSearches)
    errors.push(invalidField(at, searches, `must not have more than ${mostSearches} search paths`));
  if (searches.join(" ").length > mostSearchCharacters)
    errors.push(invalidField(at, searches, `must not have more than ${mostSearchCharacters} characters`));
  for (const [i, search] of searches.entries()) {
    const name = search.replace(/\.$/, "");
    if (search === "." || (name.length <= 253 && searchPath.test(name))) continue;
    errors.push(invalidField(`${at}[${i}]`, search, "must be a DNS subdomain"));
  }
  return errors;
}

/** The DNS of pods. */
export const podNetworkRules: Readonly<Record<string, StructRules>> = {
  PodDNSConfig: {
    fields: {
      nameservers: (value, at, owner) => [
        ...(listAt(value).length > mostServers
          ? [invalidField(at, value, `must not have more than ${mostServers} nameservers`)]
          : []),
        ...each(ipAddress)(value, at, owner),
      ],
      searches: searchErrors,
      options: each((option, at) =>
        isAbsent(recordAt(option)["name"]) ? [requiredField(at, "must not be empty")] : [],
      ),
    },
  },
};

function dnsErrors({ dnsPolicy, dnsConfig }: Owner, at: string): readonly FieldError[] {
  if (dnsPolicy !== "None") return [];
  if (dnsConfig === undefined)
    return [requiredField(`${at}.dnsConfig`, "must provide `dnsConfig` when `dnsPolicy` is None")];
  return listAt(dnsConfig, "nameservers").length === 0
    ? [
        requiredField(
          `${at}.dnsConfig.nameservers`,
          "must provide at least one DNS nameserver when `dnsPolicy` is None",
        ),
      ]
    : [];
}

function portErrors(spec: Owner, at: string): readonly FieldError[] {
  const taken = new Set<string>();
  return listAt(spec, "containers").flatMap((container, i) =>
    listAt(container, "ports").flatMap((port, j) => {
      const { hostPort = 0, containerPort, protocol, hostIP = "" } = recordAt(port);
      const place = `${at}.containers[${i}].ports[${j}].hostPort`;
      if (hostPort === 0) return [];
      const errors: FieldError[] = [];
      if (spec["hostNetwork"] === true && hostPort !== containerPort)
        errors.push(invalidField(place, hostPort, "must match `containerPort` when `hostNetwork` is true"));
      const key = `${textOf(protocol)}/${textOf(hostIP)}/${textOf(hostPort)}`;
      if (taken.has(key)) errors.push(duplicateField(place, key));
      taken.add(key);
      return errors;
    }),
  );
}

/** Fields that share a namespace with the node. The real server prints some of them by their Go names. */
const namespaces: readonly (readonly [field: string, printed: string])[] = [
  ["hostNetwork", "hostNetwork"],
  ["hostPID", "HostPID"],
  ["hostIPC", "HostIPC"],
];

function namespaceErrors(spec: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (spec["hostPID"] === true && spec["shareProcessNamespace"] === true)
    errors.push(
      invalidField(
        `${at}.securityContext.shareProcessNamespace`,
        true,
        "ShareProcessNamespace and HostPID cannot both be enabled",
      ),
    );
  if (spec["hostUsers"] !== false) return errors;
  for (const [field, printed] of namespaces) {
    if (spec[field] === true)
      errors.push(forbiddenField(`${at}.${printed}`, "when `hostUsers` is false, this field must be false"));
  }
  for (const { container, at: place } of containersOf(spec, at)) {
    if (listAt(container, "volumeDevices").length > 0)
      errors.push(forbiddenField(`${place}.volumeDevices`, "cannot be set when `hostUsers` is false"));
  }
  return errors;
}

const ipcSysctl = /^(kernel\.(shm|msg|sem$)|fs\.mqueue\.)/;

/** Rejects sysctls of a namespace that the pod shares with its node. */
function sysctlErrors(spec: Owner, at: string): readonly FieldError[] {
  const shared = (name: string): string | undefined => {
    if (spec["hostNetwork"] === true && name.startsWith("net.")) return "hostNetwork";
    return spec["hostIPC"] === true && ipcSysctl.test(name) ? "hostIPC" : undefined;
  };
  return listAt(spec, "securityContext", "sysctls").flatMap((sysctl, i) => {
    const name = isRecord(sysctl) ? textOf(sysctl["name"] ?? "") : "";
    const field = shared(name);
    if (field === undefined) return [];
    const place = `${at}.securityContext.sysctls[${i}].name`;
    return [invalidField(place, name, `may not be specified when '${field}' is set to true`)];
  });
}

/** Checks combinations of the fields for DNS, host ports and shared namespaces of a pod. */
export function podNetworkErrors(spec: Owner, at: string): readonly FieldError[] {
  return [...dnsErrors(spec, at), ...portErrors(spec, at), ...namespaceErrors(spec, at), ...sysctlErrors(spec, at)];
}
