import {
  containsIp,
  firstIp,
  formatIp,
  parseIp,
  parseNetwork,
  sizeOf,
  type Network,
} from "../../evaluate/operators/ip-address.ts";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import type { Arguments } from "../arguments.ts";
import { defineFunctions } from "../define-functions.ts";
import { ipSet } from "./ip-set.ts";
import { staticIps } from "./static-ips.ts";

/** Functions on IP networks. */
export const ipFunctions = defineFunctions({
  min_ip: (args) => {
    const network = onlyNetwork(args);
    return formatIp({ value: firstIp(network), bits: network.address.bits });
  },
  max_ip: (args) => {
    const network = onlyNetwork(args);
    return formatIp({ value: firstIp(network) + sizeOf(network) - 1n, bits: network.address.bits });
  },
  num_ip: (args) => {
    const size = sizeOf(onlyNetwork(args));
    return BigInt.asIntN(64, size) === size ? size : failLocally("num_ip: more addresses than an integer can hold");
  },
  contains_ip: (args) => {
    args.count(2, 2, "contains_ip requires CIDR and IP argument");
    const text = args.text(0, "CIDR required as first argument");
    const network = parseNetwork(text) ?? failLocally(quoting`CIDR argument required: invalid CIDR address: ${text}`);
    const address = args.text(1, "IP required as second argument");
    const ip = parseIp(address) ?? failLocally(quoting`IP argument required: ${address}`);
    return ip.bits === network.address.bits && containsIp(network, ip.value);
  },
  ipset: ipSet,
  static_ips: staticIps,
});

function onlyNetwork(args: Arguments): Network {
  args.count(1, 1, "only one argument expected for CIDR function");
  const text = args.at(0);
  return (typeof text === "string" ? parseNetwork(text) : undefined) ?? failLocally("CIDR argument required");
}
