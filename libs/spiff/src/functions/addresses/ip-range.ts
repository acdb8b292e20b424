import {
  firstIp,
  formatIp,
  parseIp,
  parseNetwork,
  sizeOf,
  type IpAddress,
} from "../../evaluate/operators/ip-address.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import type { Value } from "../../value/value.ts";

/** Addresses in a row. */
export interface IpRange {
  readonly first: bigint;
  readonly size: bigint;
  readonly bits: 32 | 128;
}

/** A network in CIDR notation, an address, or `first - last`. */
export function parseIpRange(text: string): IpRange {
  const network = parseNetwork(text);
  if (network !== undefined) return { first: firstIp(network), size: sizeOf(network), bits: network.address.bits };
  const [from = "", ...rest] = text.split("-").map((part) => part.trim());
  const first = addressOf(from);
  if (rest.length === 0) return { first: first.value, size: 1n, bits: first.bits };
  const last = addressOf(rest.join("-"));
  if (first.bits !== last.bits)
    return failLocally(quoting`invalid IP range: ${from} and ${rest.join("-")} are of different kinds`);
  if (last.value < first.value) {
    return failLocally(quoting`invalid IP range: start (${formatIp(first)}) larger than end (${formatIp(last)})`);
  }
  return { first: first.value, size: last.value - first.value + 1n, bits: first.bits };
}

function addressOf(text: string): IpAddress {
  return parseIp(text) ?? failLocally(quoting`invalid IP '${text}'`);
}

/** Number of addresses in ranges. */
export function totalSize(ranges: readonly IpRange[]): bigint {
  return ranges.reduce((sum, range) => sum + range.size, 0n);
}

/** The n-th address of ranges, from 0; undefined for none. */
export function addressAt(ranges: readonly IpRange[], index: bigint): string | undefined {
  let rest = index;
  for (const { first, size, bits } of ranges) {
    if (rest >= 0n && rest < size) return formatIp({ value: first + rest, bits });
    rest -= size;
  }
  return undefined;
}

/** Ints, and those in lists. */
export function indicesOf(values: readonly Value[], name: string): bigint[] {
  return values.flatMap((value): bigint[] => {
    if (typeof value === "bigint") return [value];
    if (typeof value !== "object" || value?.kind !== "list") {
      return failLocally(`arguments to ${name} must be integer or list of integers`);
    }
    return indicesOf(
      value.items.map((cell) => cell.value),
      name,
    );
  });
}
