import { isIPv4, isIPv6 } from "node:net";

/** The 4 or 16 bytes of an IP address as Go's net package reads it (IPv4 within IPv6 counts as IPv4); undefined when it is none. */
export function ipBytes(address: string): Buffer | undefined {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  if (!isIPv6(address) || address.includes("%")) return undefined;
  const bytes = Buffer.from(groupsOf(address).flatMap((group) => [group >> 8, group & 0xff]));
  const isMapped = bytes.subarray(0, 12).equals(mappedPrefix);
  return isMapped ? bytes.subarray(12) : bytes;
}

const mappedPrefix = Buffer.from("00000000000000000000ffff", "hex");

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The host of a URL comes in one form: groups in hex, at most one "::".
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const numbers = (part = ""): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** The text of 4 or 16 bytes. */
export function ipText(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join(".");
  const groups = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
