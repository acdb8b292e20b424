import { isIPv6 } from "node:net";

/**
 * An IP address and the IPv4 address that it stands for: IPv4-mapped (::ffff:0:0/96), IPv4-compatible (::/96), NAT64 (64:ff9b::/96) and
 * 6to4 (2002::/16). Otherwise a rule for 169.254.0.0/16 could be passed by in another notation.
 */
export function addressForms(address: string): readonly string[] {
  const [bare = ""] = address.split("%");
  if (!isIPv6(bare)) return [bare];
  const groups = expand(bare);
  const embedded = (first: number): string => {
    const [high = 0, low = 0] = groups.slice(first, first + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };
  const startsWith = (...prefix: readonly number[]): boolean => prefix.every((group, index) => groups[index] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return [bare, embedded(6)];
  // :: and ::1 are addresses of their own.
  const isCompatible = startsWith(0, 0, 0, 0, 0, 0) && ((groups[6] ?? 0) !== 0 || (groups[7] ?? 0) > 1);
  if (isCompatible) return [bare, embedded(6)];
  return startsWith(0x2002) ? [bare, embedded(1)] : [bare];
}

/** The eight groups of an IPv6 address. */
function expand(address: string): readonly number[] {
  // URL parsing turns a dotted tail into groups.
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail] = text.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros: string[] = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
