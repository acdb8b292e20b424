/** Changes to which the embedded server answers otherwise than the real one, and why. The guide to `local-cluster` lists the reasons. */
export interface Difference {
  /** Sentence in the table of the guide. */
  readonly reason: string;
  /** Kinds with this difference. */
  readonly kinds: readonly string[];
  readonly changes: RegExp;
}

export const differences: readonly Difference[] = [
  {
    reason: "No admission plugin checks ServiceAccounts, priority classes and runtime classes of pods.",
    kinds: ["Pod"],
    changes:
      /^create: (spec\.(serviceAccountName|priorityClassName|runtimeClassName|preemptionPolicy|priority) = |small: a priority and its class$)/,
  },
  {
    reason:
      "Privileged containers and host processes of Windows are accepted; the recorded server runs without `--allow-privileged`.",
    kinds: ["Pod"],
    changes: /: (spec\.containers\[0\]\.securityContext\.privileged = true|small: a Windows host process .*)$/,
  },
  {
    reason: "Image volumes are dropped from updates of pods, too.",
    kinds: ["Pod"],
    changes: /^update: (spec\.volumes\[\d\]\.image = \{\}|small: an image volume)$/,
  },
  {
    reason: "Stop signals are kept; the real server drops them, because their feature gate is off.",
    kinds: ["Pod"],
    changes: /^update: small: a stop signal without an operating system$/,
  },
  {
    reason: "An empty list of scaling policies counts as absent.",
    kinds: ["HorizontalPodAutoscaler"],
    changes: /: rules with an empty list of policies$/,
  },
  {
    reason: "An indexed Job without completions is refused; the real server panics and closes the connection.",
    kinds: ["Job"],
    changes: /: spec\.completions removed$/,
  },
  {
    reason: "An update that removes the whole spec of a Job has other causes.",
    kinds: ["Job"],
    changes: /^update: spec (removed|= \{\})$/,
  },
  {
    reason: "A port that is there twice shares its node port on the real server, which fails on the update.",
    kinds: ["Service"],
    changes: /: (spec\.ports with its first item twice|ClusterIP: two ports with one node port)$/,
  },
  {
    reason: "The range of node ports holds for dry runs, too; the real server allocates nothing in a dry run.",
    kinds: ["Service"],
    changes: /: (spec\.(ports\[\d\]\.nodePort|healthCheckNodePort) = -?\d+|ClusterIP: .* beyond the range.*)$/,
  },
  {
    reason: "A change to ExternalName together with another cluster IP is refused; the real server drops the address.",
    kinds: ["Service"],
    changes: /^update: ClusterIP: ExternalName with a cluster IP$/,
  },
  {
    reason: "An update with another `addressType` also reports addresses that are not of that type.",
    kinds: ["EndpointSlice"],
    changes: /^update: (addressType = "IPv6"|IPv4 addresses as IPv6)$/,
  },
  {
    reason:
      "A bound claim may grow whatever `allowVolumeExpansion` of its class is: there is no admission plugin for it.",
    kinds: ["PersistentVolumeClaim"],
    changes: /^update: bound: a larger request$/,
  },
  {
    reason: "Amounts smaller than a thousandth are kept; the real server rounds them up.",
    kinds: ["LimitRange"],
    changes: /: a default request below the minimum$/,
  },
  {
    reason:
      "The classes `system-node-critical` and `system-cluster-critical` do not exist until somebody creates them.",
    kinds: ["PriorityClass"],
    changes: /^create: a value of the system with its name$/,
  },
  {
    reason: "The node affinity of a volume is compared even if its new key is empty.",
    kinds: ["PersistentVolume"],
    changes: /^update: spec\.nodeAffinity\..*\.key (removed|= "")$/,
  },
  {
    reason: "A binding whose roleRef names another kind than a role is refused with 422, and not with 500.",
    kinds: ["RoleBinding", "ClusterRoleBinding"],
    changes: /: roleRef(\.kind .*| removed| = \{\})$/,
  },
  {
    reason: "An expression that uses an empty variable of a policy has no cause of its own.",
    kinds: ["ValidatingAdmissionPolicy"],
    changes: /: spec\.variables\[0\]\.expression (removed|= "")$/,
  },
  {
    reason: "Expressions cannot use `params`, because policies with `paramKind` are not supported.",
    kinds: ["ValidatingAdmissionPolicy"],
    changes: /: params of a kind$/,
  },
];
