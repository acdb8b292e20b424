// Addresses of the node: inside its network namespace they may be the same in every run; only the link to the host must be a run's own.

/** Pods have their addresses from the first, Services from the second; both are of the range for benchmarks (RFC 2544), which nobody routes. */
export const podRange = "198.18.0.0/24";
export const serviceRange = "198.18.1.0/24";
export const firstServiceAddress = "198.18.1.1";
/** The gateway of the pods. */
const bridgeAddress = "198.18.0.1/24";
export const bridgeName = "pods0";
/** The sandbox's end of the link. */
export const nodeLink = "node0";
/** The packet filter that keeps pods off the link. */
export const guardTable = "landscaper-guard";

/** A pair of interfaces, one in the sandbox, and their /30. */
export interface Link {
  /** The host's end. Two runs cannot have the same: the kernel refuses a name that is there. */
  readonly name: string;
  readonly hostAddress: string;
  readonly nodeAddress: string;
}

/** How many links there are addresses for. */
export const linkCount = 256 * 64;

/** The link of a number below `linkCount`, in 198.19.0.0/16. */
export function linkOf(index: number): Link {
  const start = `198.19.${index >> 6}`;
  const last = (index & 63) * 4;
  return { name: `ls-e2e-${index}`, hostAddress: `${start}.${last + 1}`, nodeAddress: `${start}.${last + 2}` };
}

/**
 * Shell commands for the network inside the sandbox. It has no route to anywhere but the link; the guard keeps pods off that, too, and is
 * there before the first of them.
 */
export function networkScript({ nodeAddress }: Link): string {
  return `
set -e
ip link set lo up
ip addr add ${nodeAddress}/30 dev ${nodeLink}
ip link set ${nodeLink} up
ip link add ${bridgeName} type bridge
ip addr add ${bridgeAddress} dev ${bridgeName}
ip link set ${bridgeName} up
ip route add unreachable default
ip route add ${serviceRange} dev ${bridgeName}
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables
nft -f - <<'END'
table inet ${guardTable} {
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname "${nodeLink}" drop
    oifname "${nodeLink}" reject
  }
}
END
`;
}
