import type { Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import { listOf } from "../../value/build-value.ts";
import type { Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";
import { addressAt, indicesOf, parseIpRange, totalSize, type IpRange } from "./ip-range.ts";

/** ipset(ranges, count, indices...): so many addresses of ranges, by their numbers when given. */
export function ipSet(args: Arguments, { document }: Environment): Value {
  args.count(2, Number.POSITIVE_INFINITY, "at least 2 argument expected (ipranges, size, optional: ip indices");
  const ranges = rangesOf(args.at(0));
  const total = totalSize(ranges);
  const count = Number(args.integer(1, "number of IPs in set expected as second argument"));
  if (count < 0) return failLocally("ipset: the number of IPs must not be negative");
  const indices = args.length > 2 ? indicesOf(args.values.slice(2), "ipset") : undefined;
  if (indices !== undefined && indices.length < count) {
    return failLocally(`too many required entries (${count} > ${indices.length} available indices)`);
  }
  const negative = indices?.find((index) => index < 0n);
  if (negative !== undefined) return failLocally(quoting`negative ip indices are not allowed: ${negative}`);
  if (BigInt(count) > total) return outOfRange(Number(total), total, total);
  document.budget.chargeEntries(count);
  const addresses = Array.from({ length: count }, (_, number) => {
    const index = indices?.[number] ?? BigInt(number);
    return addressAt(ranges, index) ?? outOfRange(number, index, total);
  });
  return listOf(addresses);
}

function rangesOf(source: Value): IpRange[] {
  if (typeof source === "string") return [parseIpRange(source)];
  if (typeof source !== "object" || source?.kind !== "list") {
    return failLocally("ip range or range list expected as first argument");
  }
  return source.items.map(({ value }, index) =>
    typeof value === "string" ? parseIpRange(value) : failLocally(`string entry at ip range list index ${index}`),
  );
}

function outOfRange(number: number, index: bigint, total: bigint): never {
  return failLocally(quoting`ip index ${number} (${index}) out of range (${total} IP(s) available in ranges)`);
}
