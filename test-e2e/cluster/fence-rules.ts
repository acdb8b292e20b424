// Packet filters of a node's network (nft). Pure.
import { guardTable, nodeLink, podRange } from "./node-network.ts";

export interface Fence {
  /** The host's end of the link. */
  readonly hostAddress: string;
  /** TCP ports there that may be dialled from inside. */
  readonly ports: readonly number[];
}

const fenceTable = "landscaper-fence";
const cutTable = "landscaper-cut";

/** Replaces the fence by one with other ports. Connections to the others end. */
export function changedFenceRules(fence: Fence): string {
  return fenceRules(fence, fenceTable);
}

/**
 * Takes the place of the guard that a node starts with: the node and its pods may dial these ports, and nothing else beyond the link. From outside comes only
 * what answers them: connections that were opened from there before end as well.
 */
export function fenceRules({ hostAddress, ports }: Fence, replaced: string = guardTable): string {
  const allowed = `ip daddr ${hostAddress} tcp dport { ${ports.join(", ")} }`;
  return `delete table inet ${replaced}
table inet ${fenceTable} {
  chain input {
    type filter hook input priority -10; policy accept;
    iifname "${nodeLink}" ct direction reply accept
    iifname "${nodeLink}" reject
  }
  chain output {
    type filter hook output priority -10; policy accept;
    oifname "${nodeLink}" icmp type destination-unreachable accept
    oifname "${nodeLink}" ct direction original ${allowed} accept
    oifname "${nodeLink}" reject
  }
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname "${nodeLink}" ct direction reply accept
    iifname "${nodeLink}" reject
    oifname "${nodeLink}" ct direction original ${allowed} accept
    oifname "${nodeLink}" reject
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    oifname "${nodeLink}" ip saddr ${podRange} masquerade
  }
}
`;
}

/** Every packet on the link is lost, in both directions, as on a line that is cut. */
export function cutRules(): string {
  const chain = (hook: string, direction: string): string => `
  chain ${hook} {
    type filter hook ${hook} priority -20; policy accept;
    ${direction} "${nodeLink}" drop
  }`;
  return `table inet ${cutTable} {${chain("input", "iifname")}${chain("output", "oifname")}
  chain forward {
    type filter hook forward priority -20; policy accept;
    iifname "${nodeLink}" drop
    oifname "${nodeLink}" drop
  }
}
`;
}

export function restoringRules(): string {
  return `delete table inet ${cutTable}\n`;
}
