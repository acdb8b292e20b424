import { containsIp, firstIp, formatIp, parseIp, parseNetwork, sizeOf, type Network } from "../evaluate/ip-address.ts";
import { failLocally } from "../evaluate/failure.ts";
import { listOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";

/** Functions on IP networks (spiff.md §3.9). */
export const ipFunctions = defineFunctions({
  min_ip: (args) => {
    const network = networkOf(args, 1);
    return formatIp({ value: firstIp(network), bits: network.address.bits });
  },
  max_ip: (args) => {
    const network = networkOf(args, 1);
    return formatIp({ value: firstIp(network) + sizeOf(network) - 1n, bits: network.address.bits });
  },
  num_ip: (args) => BigInt.asIntN(64, sizeOf(networkOf(args, 1))),
  contains_ip: (args) => {
    const network = networkOf(args, 2);
    const ip = parseIp(args.text(1)) ?? failLocally("contains_ip: second argument must be an IP address");
    return ip.bits === network.address.bits && containsIp(network, ip.value);
  },
  ipset: ipSet,
});

function networkOf(args: Arguments, count: number): Network {
  args.count(count, count);
  const text = args.at(0);
  return (typeof text === "string" ? parseNetwork(text) : undefined) ?? failLocally("CIDR argument required");
}

interface IpRange {
  readonly first: bigint;
  readonly size: bigint;
  readonly bits: 32 | 128;
}

/** ipset(ranges, count, indices...): addresses of ranges, by their numbers when given. */
function ipSet(args: Arguments): Value {
  args.count(2);
  const source = args.at(0);
  const texts =
    typeof source === "object" && source?.kind === "list" ? source.items.map((cell) => cell.value) : [source];
  const ranges = texts.map((text) => rangeOf(text));
  const total = ranges.reduce((sum, range) => sum + range.size, 0n);
  const count = Number(args.integer(1));
  const indices = args.values.slice(2).flatMap(indicesOf);
  if (args.length > 2 && indices.length < count)
    return failLocally(`ipset: ${count} indices required, found ${indices.length}`);
  if (BigInt(count) > total) return outOfRange(total, Number(total), total);
  const wanted = Array.from({ length: count }, (_, index) =>
    args.length > 2 ? (indices[index] ?? 0n) : BigInt(index),
  );
  return listOf(wanted.map((index, at) => addressAt(ranges, index) ?? outOfRange(index, at, total)));
}

function outOfRange(index: bigint, at: number, total: bigint): never {
  return failLocally(`ip index ${at} (${index}) out of range (${total} IP(s) available in ranges)`);
}

function indicesOf(value: Value): bigint[] {
  if (typeof value === "bigint") return [value];
  if (typeof value === "object" && value?.kind === "list") return value.items.flatMap((cell) => indicesOf(cell.value));
  return failLocally("ipset: indices must be integers or lists of integers");
}

function rangeOf(value: Value): IpRange {
  const text = typeof value === "string" ? value : "";
  const network = parseNetwork(text);
  if (network !== undefined) return { first: firstIp(network), size: sizeOf(network), bits: network.address.bits };
  const [from = "", to = from] = text.split("-").map((part) => part.trim());
  const first = parseIp(from);
  const last = parseIp(to);
  if (first === undefined || last === undefined || first.bits !== last.bits || last.value < first.value) {
    return failLocally("ipset: ranges must be CIDRs, IP addresses or IP ranges");
  }
  return { first: first.value, size: last.value - first.value + 1n, bits: first.bits };
}

function addressAt(ranges: readonly IpRange[], index: bigint): string | undefined {
  let rest = index;
  for (const { first, size, bits } of ranges) {
    if (rest >= 0n && rest < size) return formatIp({ value: first + rest, bits });
    rest -= size;
  }
  return undefined;
}
