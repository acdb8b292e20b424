import { evaluate } from "../../evaluate/evaluate.ts";
import type { Environment } from "../../evaluate/environment.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import { listOf } from "../../value/build-value.ts";
import type { ListValue, Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";
import { addressAt, indicesOf, parseIpRange, totalSize, type IpRange } from "./ip-range.ts";

/**
 * static_ips(indices...): the static addresses for the `instances` of a job on the network called `name`, both found
 * around the call; the network is `.networks.NAME` with `static` ranges in its `subnets` (layout of BOSH manifests).
 */
export function staticIps(args: Arguments, environment: Environment): Value {
  args.count(1, Number.POSITIVE_INFINITY, "static_ips requires indices");
  const indices = indicesOf(args.values, "static_ips");
  const network = lookUp(["name"], environment);
  if (typeof network !== "string") return failLocally("name field must be string");
  const subnets = lookUp(["", "networks", network, "subnets"], environment);
  const count = lookUp(["instances"], environment);
  if (typeof count !== "bigint" || count < 0n) return failLocally("instances field must be a number of instances");
  const ranges = rangesOf(subnets, network);
  const total = totalSize(ranges);
  if (BigInt(indices.length) < count) return failLocally(quoting`too less static IPs for ${count} instances`);
  environment.document.budget.chargeEntries(Number(count));
  const addresses = indices
    .slice(0, Number(count))
    .map(
      (index) =>
        addressAt(ranges, index) ??
        failLocally(quoting`static ip index ${index} out of range (${total} IP(s) available in ranges)`),
    );
  return listOf(addresses);
}

function lookUp(path: readonly string[], environment: Environment): Value {
  return evaluate({ kind: "reference", tag: "", path }, environment);
}

function rangesOf(subnets: Value, network: string): IpRange[] {
  const ranges: IpRange[] = [];
  for (const { value: subnet } of listOrFail(subnets, "subnets field must be a list").items) {
    if (typeof subnet !== "object" || subnet?.kind !== "map") return failLocally("subnet must be a map");
    const ips = subnet.cells.get("static")?.value;
    if (ips === undefined) continue;
    for (const { value } of listOrFail(ips, quoting`static ips for network ${network} must be a list`).items) {
      if (typeof value !== "string") return failLocally(quoting`invalid entry for static ips for network ${network}`);
      ranges.push(parseIpRange(value));
    }
  }
  return ranges.length > 0 ? ranges : failLocally(quoting`no static ips for network ${network}`);
}

function listOrFail(value: Value, message: Parameters<typeof failLocally>[0]): ListValue {
  return typeof value === "object" && value?.kind === "list" ? value : failLocally(message);
}
