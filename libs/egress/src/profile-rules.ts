import { parseHostRule, type HostRule } from "./host-rule.ts";

/** What a profile denies under one name. */
export interface ProfileRule {
  readonly name: string;
  readonly hosts: readonly HostRule[];
}

function rule(name: string, ...hosts: readonly string[]): ProfileRule {
  return { name, hosts: hosts.map((host) => parseHostRule(host, name)) };
}

/** Link-local networks, and the addresses and names of the metadata services that clouds have there or beside them. */
export const linkLocal = rule(
  "link-local",
  "169.254.0.0/16",
  "fe80::/10",
  "fd00:ec2::254",
  "fd20:ce::254",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
);

/** The unspecified addresses reach the own machine, too. */
export const loopback = rule("loopback", "127.0.0.0/8", "0.0.0.0/8", "::1", "::", "localhost", "*.localhost");

/** The cluster that the service runs in or works for: its API server, by every name, and the networks of its Pods and Services. */
export function clusterRule(clusterCIDRs: readonly string[], ownHosts: readonly string[]): ProfileRule {
  const names = ["kubernetes", "kubernetes.default", "*.svc", "*.cluster.local", ...ownHosts];
  const networks = clusterCIDRs.map((network, index) => parseHostRule(network, `egress.clusterCIDRs[${index}]`));
  const { hosts } = rule("cluster", ...names);
  return { name: "cluster", hosts: [...networks, ...hosts] };
}
