import { SocketAddress, isIP } from "node:net";

export interface IpAddress {
  /** Family of the address; an IPv4-mapped address is an IPv4 address. */
  readonly family: 4 | 6;
  /** Canonical form. For an IPv4-mapped address, the form of the IPv4 address. */
  readonly text: string;
  /** Whether the address is written as an IPv4-mapped IPv6 address, as ::ffff:10.0.0.1. */
  readonly isMapped: boolean;
}

/**
 * Reads an IP address as the API server does. The numbers of an IPv4 address, or of the IPv4 part of an IPv6 address, may have leading zeros.
 * Returns undefined for other text, and for an address with a zone.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const plain = withoutLeadingZeros(text);
  const family = isIP(plain);
  // node:net accepts zones.
  if (family === 0 || plain.includes("%")) return undefined;
  if (family === 4) return { family, text: plain, isMapped: false };
  const { address } = new SocketAddress({ address: plain, family: "ipv6" });
  if (!address.includes(".")) return { family: 6, text: address, isMapped: false };
  const [, dotted = ""] = /:([\d.]+)$/.exec(address) ?? [];
  if (address === `::ffff:${dotted}`) return { family: 4, text: dotted, isMapped: true };
  return { family: 6, text: address.replace(dotted, inHexadecimal(dotted)), isMapped: false };
}

export interface IpRange {
  readonly address: string;
  /** Family of the notation: 6 for an IPv4-mapped address. */
  readonly family: 4 | 6;
  readonly bits: number;
}

/** Returns undefined if the text is not in CIDR notation. */
export function parseIpRange(text: string): IpRange | undefined {
  const [given = "", digits = "", ...rest] = text.split("/");
  const address = parseIpAddress(given);
  const bits = Number(digits);
  if (address === undefined || rest.length > 0 || !/^\d+$/.test(digits)) return undefined;
  const family = address.isMapped ? 6 : address.family;
  if (bits > (family === 4 ? 32 : 128)) return undefined;
  return { address: address.isMapped ? `::ffff:${address.text}` : address.text, family, bits };
}

/** Whether a number of the IPv4 address, or of the IPv4 part of an IPv6 address, has leading zeros. */
export function hasLeadingZeros(text: string): boolean {
  return withoutLeadingZeros(text) !== text;
}

function withoutLeadingZeros(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const numbers = text.slice(start).split(".");
  if (numbers.length !== 4) return text;
  return text.slice(0, start) + numbers.map((number) => number.replace(/^0+(?=\d)/, "")).join(".");
}

function inHexadecimal(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(":");
}

/** Returns an IPv4 address in dotted form as an integer. */
export function toIpv4Number(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

/** Returns the dotted form of an IPv4 address. */
export function fromIpv4Number(number: number): string {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join(".");
}
