import { BlockList, isIP } from "node:net";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";
import type { FieldRule } from "./field-rules.ts";
import { textOf } from "./field-rules.ts";

/** An IPv4 address without leading zeros in its numbers, which the API accepts in the fields that it has had for long. */
function withoutZeros(text: string): string {
  return /^\d+(\.\d+){3}$/.test(text) ? text.replaceAll(/(^|\.)0+(?=\d)/g, "$1") : text;
}

/** 4 or 6; 0 if the text is not an IP address. An IPv4 address in the form of IPv6 is one of IPv4. */
export function familyOf(text: string): 0 | 4 | 6 {
  const family = isIP(withoutZeros(text));
  if (family === 6) return /^(0*:)+(:?0*:)*ffff:\d+(\.\d+){3}$/i.test(text) ? 4 : 6;
  return family === 4 ? 4 : 0;
}

export const ipAddress: FieldRule = (value, at) =>
  familyOf(textOf(value ?? "")) === 0
    ? [invalidField(at, value ?? "", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")]
    : [];

/** The addresses of ranges in CIDR notation. */
export function toBlockList(...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6");
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
  const text = withoutZeros(textOf(value ?? ""));
  const family = isIP(text);
  if (family === 0) return ipAddress(value, at, owner);
  return special
    .filter(([list]) => list.check(text, family === 4 ? "ipv4" : "ipv6"))
    .map(([, detail]) => invalidField(at, value, detail));
};

interface Range {
  readonly address: string;
  readonly family: 4 | 6;
  readonly bits: number;
}

/** Undefined if the text is not an address range in the form of CIDR. */
export function parseRange(text: string): Range | undefined {
  const [given = "", digits = "", ...rest] = text.split("/");
  const address = withoutZeros(given);
  const family = isIP(address);
  const bits = Number(digits);
  if ((family !== 4 && family !== 6) || rest.length > 0 || !/^\d+$/.test(digits) || bits > (family === 4 ? 32 : 128))
    return undefined;
  return { address, family, bits };
}

/** An address range in the form of CIDR. */
export const addressRange: FieldRule = (value, at) =>
  parseRange(textOf(value ?? "")) === undefined
    ? [invalidField(at, value ?? "", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")]
    : [];

/** Whether `inner` is a part of `outer`, and smaller. */
function isStrictPart(inner: Range, outer: Range): boolean {
  if (inner.family !== outer.family || inner.bits <= outer.bits) return false;
  const family = outer.family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, family);
  return list.check(inner.address, family);
}

/** Exceptions of an IP block are smaller ranges in it. */
export function exceptionErrors(cidr: unknown, exceptions: readonly unknown[], at: string): readonly FieldError[] {
  const outer = parseRange(textOf(cidr ?? ""));
  if (outer === undefined) return [];
  return exceptions.flatMap((exception, i) => {
    const inner = parseRange(textOf(exception));
    return inner === undefined || isStrictPart(inner, outer)
      ? []
      : [invalidField(`${at}[${i}]`, exception, `must be a strict subset of \`cidr\``)];
  });
}
