/** An IPv4 or IPv6 address as a number. */
export interface IpAddress {
  readonly value: bigint;
  /** 32 or 128. */
  readonly bits: 32 | 128;
}

export interface Network {
  /** As written: not masked. */
  readonly address: IpAddress;
  readonly prefix: number;
}

/** As in Go an IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`) is an IPv4 address. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(":")) return parseIpv4(text);
  const address = parseIpv6(text);
  return address !== undefined && address.value >> 32n === mappedPrefix
    ? { value: address.value & 0xffffffffn, bits: 32 }
    : address;
}

const mappedPrefix = 0xffffn;

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255))
    return undefined;
  return { value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n), bits: 32 };
}

function parseIpv6(text: string): IpAddress | undefined {
  const embedded = /^(.*:)([0-9.]+)$/.exec(text);
  const tail = embedded?.[2]?.includes(".") === true ? parseIpv4(embedded[2]) : undefined;
  const head =
    tail === undefined
      ? text
      : `${embedded?.[1] ?? ""}${(tail.value >> 16n).toString(16)}:${(tail.value & 0xffffn).toString(16)}`;
  const halves = head.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const count = groups.reduce((sum, half) => sum + half.length, 0);
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const [first = [], second = []] = groups;
  const all = [...first, ...Array.from({ length: 8 - count }, () => "0"), ...second];
  if (all.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return { value: all.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n), bits: 128 };
}

export function formatIp({ value, bits }: IpAddress): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return shortenZeros(groups);
}

/** The longest run of at least two zero groups becomes "::". */
function shortenZeros(groups: readonly string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === "0") length++;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return groups.join(":");
  return `${groups.slice(0, best.start).join(":")}::${groups.slice(best.start + best.length).join(":")}`;
}

export function parseNetwork(text: string): Network | undefined {
  const match = /^([^/]+)\/([0-9]{1,3})$/.exec(text);
  const address = parseIp(match?.[1] ?? "");
  // The prefix of an IPv4 network that is written as IPv6 counts all 128 bits.
  const prefix = Number(match?.[2]) - (address?.bits === 32 && text.includes(":") ? 96 : 0);
  return prefix < 0 || address === undefined || prefix > address.bits ? undefined : { address, prefix };
}

export function firstIp({ address, prefix }: Network): bigint {
  const hostBits = BigInt(address.bits - prefix);
  return (address.value >> hostBits) << hostBits;
}

export function sizeOf({ address, prefix }: Network): bigint {
  return 1n << BigInt(address.bits - prefix);
}

export function containsIp(network: Network, ip: bigint): boolean {
  const first = firstIp(network);
  return ip >= first && ip < first + sizeOf(network);
}
