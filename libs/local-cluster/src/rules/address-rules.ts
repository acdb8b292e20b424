import { BlockList } from "node:net";
import type { IpRange } from "../objects/ip-address.ts";
import { hasLeadingZeros, parseIpAddress, parseIpRange } from "../objects/ip-address.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";
import type { FieldRule } from "./field-rules.ts";
import { textOf } from "./field-rules.ts";

export const ipAddress: FieldRule = (value, at) =>
  parseIpAddress(textOf(value ?? "")) === undefined
    ? [invalidField(at, value ?? "", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")]
    : [];

/** Returns the addresses of ranges in CIDR notation. */
function toBlockList(...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

const special: readonly (readonly [list: BlockList, detail: string])[] = [
  [toBlockList("0.0.0.0/32", "::/128"), "may not be unspecified (0.0.0.0 or ::)"],
  [toBlockList("127.0.0.0/8", "::1/128"), "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  [toBlockList("169.254.0.0/16", "fe80::/10"), "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  [toBlockList("224.0.0.0/24", "ff02::/16"), "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
];

/** An address that other machines can send to. */
export const endpointAddress: FieldRule = (value, at, owner) => {
  const address = parseIpAddress(textOf(value ?? ""));
  if (address === undefined) return ipAddress(value, at, owner);
  const { text, family } = address;
  return special
    .filter(([list]) => list.check(text, family === 4 ? "ipv4" : "ipv6"))
    .map(([, detail]) => invalidField(at, value, detail));
};

/** An address that other machines can send to, in the form that newer fields require. */
export const canonicalEndpointAddress: FieldRule = (value, at, owner) => {
  const text = textOf(value ?? "");
  const address = parseIpAddress(text);
  if (address === undefined) return ipAddress(value, at, owner);
  if (hasLeadingZeros(text)) return [invalidField(at, value, "must not have leading 0s")];
  if (address.isMapped) return [invalidField(at, value, "must not be an IPv4-mapped IPv6 address")];
  if (address.text !== text)
    return [invalidField(at, value, `must be in canonical form (${JSON.stringify(address.text)})`)];
  return endpointAddress(value, at, owner);
};

/** An address range in CIDR notation. */
export const addressRange: FieldRule = (value, at) =>
  parseIpRange(textOf(value ?? "")) === undefined
    ? [invalidField(at, value ?? "", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")]
    : [];

/** Whether `inner` is a strict subset of `outer`. */
function isStrictPart(inner: IpRange, outer: IpRange): boolean {
  if (inner.family !== outer.family || inner.bits <= outer.bits) return false;
  const family = outer.family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, family);
  return list.check(inner.address, family);
}

/** Exceptions of an IP block are strict subsets of the block. */
export function exceptionErrors(cidr: unknown, exceptions: readonly unknown[], at: string): readonly FieldError[] {
  const outer = parseIpRange(textOf(cidr ?? ""));
  if (outer === undefined) return [];
  return exceptions.flatMap((exception, i) => {
    const inner = parseIpRange(textOf(exception));
    return inner === undefined || isStrictPart(inner, outer)
      ? []
      : [invalidField(`${at}[${i}]`, exception, `must be a strict subset of \`cidr\``)];
  });
}
