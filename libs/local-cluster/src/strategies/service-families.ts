import { parseIpAddress } from "../objects/ip-address.ts";
import { listAt, stringAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Whether a Service is headless and has no selector: its endpoints may use any IP family. */
export function isSelectorless(spec: Spec): boolean {
  return stringAt(spec, "clusterIP") === "None" && spec["selector"] === undefined;
}

/** Checks IP families and cluster IPs of a Service in a cluster with IPv4 only. The server checks them before all other fields. */
export function familyErrors(spec: Spec): readonly FieldError[] {
  if (stringAt(spec, "type") === "ExternalName" || isSelectorless(spec)) return [];
  const addresses = listAt(spec, "clusterIPs").length > 0 ? listAt(spec, "clusterIPs") : [stringAt(spec, "clusterIP")];
  if (stringAt(spec, "clusterIP") !== addresses[0]) return []; // reported by the validation
  const errors = addressErrors(addresses.map(String), listAt(spec, "ipFamilies")[0]);
  return errors.length > 0 ? errors : policyErrors(spec);
}

function addressErrors(addresses: readonly string[], primary: unknown): readonly FieldError[] {
  const at = "spec.clusterIPs";
  const families = addresses.map((address) => parseIpAddress(address)?.family);
  if (addresses.length > 2) return [invalidField(at, addresses, "may only hold up to 2 values")];
  if (addresses.length > 1 && addresses.includes("None"))
    return [invalidField(at, addresses, "'None' must be the first and only value")];
  if (families.length > 1 && families[0] === families[1] && families[0] !== undefined)
    return [invalidField(at, addresses, "may specify no more than one IP for each IP family")];
  return addresses.flatMap((address, i) => {
    const family = families[i];
    if (family === 6) return [invalidField(`${at}[${i}]`, addresses, "IPv6 is not configured on this cluster")];
    return i === 0 && family === 4 && primary === "IPv6"
      ? [invalidField(`${at}[0]`, address, `expected an IPv6 value as indicated by \`ipFamilies[0]\``)]
      : [];
  });
}

function policyErrors(spec: Spec): readonly FieldError[] {
  const families = listAt(spec, "ipFamilies");
  const policy = stringAt(spec, "ipFamilyPolicy");
  const isKnown = families.every((family) => family === "IPv4" || family === "IPv6");
  if (!isKnown || new Set(families).size !== families.length) return []; // reported by the validation
  const at = "spec.ipFamilyPolicy";
  if (families.length > 1 && ["", "SingleStack"].includes(policy))
    return [
      invalidField(at, policy, "must be RequireDualStack or PreferDualStack when multiple `ipFamilies` are specified"),
    ];
  return [
    ...families.flatMap((family, i) =>
      family === "IPv6" ? [invalidField(`spec.ipFamilies[${i}]`, family, "not configured on this cluster")] : [],
    ),
    ...(policy === "RequireDualStack"
      ? [invalidField(at, policy, "this cluster is not configured for dual-stack services")]
      : []),
  ];
}
