/** Changes that the embedded server answers differently from the real one, with the reason. The guide to `local-cluster` lists the reasons. */
export interface Difference {
  /** Sentence in the table of the guide. */
  readonly reason: string;
  /** Kinds with this difference. */
  readonly kinds: readonly string[];
  readonly changes: RegExp;
}

export const differences: readonly Difference[] = [
  {
    reason:
      "ServiceAccounts, priority classes and runtime classes of pods are not checked, because their admission plugins are missing.",
    kinds: ["Pod"],
    changes:
      /^create: (spec\.(serviceAccountName|priorityClassName|runtimeClassName|preemptionPolicy|priority) = |small: a priority and its class$)/,
  },
  {
    reason:
      "Privileged containers and Windows host processes are accepted. The recorded server runs without `--allow-privileged`.",
    kinds: ["Pod"],
    changes: /: (spec\.containers\[0\]\.securityContext\.privileged = true|small: a Windows host process .*)$/,
  },
  {
    reason: "Updates of pods drop image volumes as well. The real server drops them only on creation.",
    kinds: ["Pod"],
    changes: /^update: (spec\.volumes\[\d\]\.image = \{\}|small: an image volume)$/,
  },
  {
    reason: "Stop signals are kept. The real server drops them, because their feature gate is off.",
    kinds: ["Pod"],
    changes: /^update: small: a stop signal without an operating system$/,
  },
  {
    reason: "An empty list of scaling policies counts as absent.",
    kinds: ["HorizontalPodAutoscaler"],
    changes: /: rules with an empty list of policies$/,
  },
  {
    reason: "An indexed Job without `completions` is rejected. The real server panics and closes the connection.",
    kinds: ["Job"],
    changes: /: spec\.completions removed$/,
  },
  {
    reason: "An update that removes the whole `spec` of a Job reports other causes.",
    kinds: ["Job"],
    changes: /^update: spec (removed|= \{\})$/,
  },
  {
    reason: "If a port is listed twice, both entries share one node port on the real server, and its update fails.",
    kinds: ["Service"],
    changes: /: (spec\.ports with its first item twice|ClusterIP: two ports with one node port)$/,
  },
  {
    reason:
      "Node ports and cluster IPs of dry runs must be in range and free. The real server does not check them, because it allocates nothing in a dry run.",
    kinds: ["Service"],
    changes: /: (spec\.(ports\[\d\]\.nodePort|healthCheckNodePort) = -?\d+|ClusterIP: .* beyond the range.*)$/,
  },
  {
    reason: "A change to ExternalName together with another cluster IP is rejected. The real server drops the address.",
    kinds: ["Service"],
    changes: /^update: ClusterIP: ExternalName with a cluster IP$/,
  },
  {
    reason: "An update with another `addressType` also reports addresses that are not of that type.",
    kinds: ["EndpointSlice"],
    changes: /^update: (addressType = "IPv6"|IPv4 addresses as IPv6)$/,
  },
  {
    reason: "A bound claim may grow even if its storage class has `allowVolumeExpansion: false`.",
    kinds: ["PersistentVolumeClaim"],
    changes: /^update: bound: a larger request$/,
  },
  {
    reason: "Quantities below one thousandth are kept. The real server rounds them up.",
    kinds: ["LimitRange"],
    changes: /: a default request below the minimum$/,
  },
  {
    reason: "The classes `system-node-critical` and `system-cluster-critical` do not exist until you create them.",
    kinds: ["PriorityClass"],
    changes: /^create: a value of the system with its name$/,
  },
  {
    reason: "The node affinity of a volume is compared even if its new key is empty.",
    kinds: ["PersistentVolume"],
    changes: /^update: spec\.nodeAffinity\..*\.key (removed|= "")$/,
  },
  {
    reason: "A `roleRef` with a kind other than Role or ClusterRole is rejected with 422 instead of 500.",
    kinds: ["RoleBinding", "ClusterRoleBinding"],
    changes: /: roleRef(\.kind .*| removed| = \{\})$/,
  },
  {
    reason: "An expression that uses an empty variable of a policy reports no separate cause.",
    kinds: ["ValidatingAdmissionPolicy"],
    changes: /: spec\.variables\[0\]\.expression (removed|= "")$/,
  },
  {
    reason: "Expressions cannot use `params`, because policies with `paramKind` are not supported.",
    kinds: ["ValidatingAdmissionPolicy"],
    changes: /: params of a kind$/,
  },
];
