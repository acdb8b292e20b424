import type { Value } from "../../value/value.ts";
import { failLocally } from "../failure.ts";
import { containsIp, firstIp, formatIp, parseIp, parseNetwork, sizeOf, type IpAddress } from "./ip-address.ts";

export function addToAddress(left: string, right: Value): Value {
  if (typeof right !== "bigint") {
    if (addressOf(left) === undefined)
      return failLocally("first argument for addition must be IP address, CIDR or number");
    return failLocally("addition argument for IP address requires an integer argument");
  }
  return shift(left, right) ?? failLocally("first argument for addition must be IP address, CIDR or number");
}

export function subtractFromAddress(left: string, right: Value): Value {
  if (typeof right === "bigint") {
    return shift(left, -right) ?? failLocally("first argument for subtraction must be IP address, CIDR or number");
  }
  const first = addressOf(left);
  if (first === undefined) return failLocally("first argument for subtraction must be IP address, CIDR or number");
  if (typeof right !== "string") {
    return failLocally("second argument of IP address subtraction must be IP address or integer");
  }
  const second = addressOf(right);
  if (second === undefined) return failLocally("second argument for subtraction must be IP address, CIDR or number");
  if (first.bits !== second.bits) return failLocally("IP type mismatch");
  return first.value - second.value;
}

/** An address, also that of a network. */
function addressOf(text: string): IpAddress | undefined {
  return parseIp(text) ?? parseNetwork(text)?.address;
}

function shift(text: string, offset: bigint): string | undefined {
  const address = parseIp(text);
  if (address !== undefined) return formatIp(wrap(address, offset));
  const network = parseNetwork(text);
  if (network === undefined) return undefined;
  const moved = wrap(network.address, offset);
  if (!containsIp(network, moved.value)) return failLocally("resulting ip address not in CIDR range");
  return `${formatIp(moved)}/${network.prefix}`;
}

function wrap(address: IpAddress, offset: bigint): IpAddress {
  return { value: BigInt.asUintN(address.bits, address.value + offset), bits: address.bits };
}

/** The n-th following network of the same size. */
export function moveNetwork(left: string, right: Value): Value {
  const network = parseNetwork(left);
  if (network === undefined) return failLocally("first argument for multiplication must be IP address, CIDR or number");
  if (typeof right !== "bigint") return failLocally("CIDR multiplication requires an integer argument");
  const value = firstIp(network) + right * sizeOf(network);
  return `${formatIp(wrap({ value: 0n, bits: network.address.bits }, value))}/${network.prefix}`;
}

/** A network of 1/n, n rounded up to a power of two. */
export function enlargeNetwork(left: string, right: Value): Value {
  const network = parseNetwork(left);
  if (network === undefined) return failLocally("first argument for division must be IP address, CIDR or number");
  if (typeof right !== "bigint") return failLocally("IP address division requires an integer argument");
  if (right < 1n) return failLocally("IP address division requires a positive integer argument");
  const prefix = network.prefix + (right - 1n).toString(2).length - (right === 1n ? 1 : 0);
  if (prefix > network.address.bits) return failLocally("divisor too large for CIDR network size");
  return `${formatIp({ value: firstIp(network), bits: network.address.bits })}/${prefix}`;
}
