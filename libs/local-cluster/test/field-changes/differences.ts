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
    changes: /^create: spec\.(serviceAccountName|priorityClassName|runtimeClassName|preemptionPolicy|priority) = /,
  },
  {
    reason: "Privileged containers are accepted; the recorded server runs without `--allow-privileged`.",
    kinds: ["Pod"],
    changes: /: spec\.containers\[0\]\.securityContext\.privileged = true$/,
  },
  {
    reason: "Image volumes are dropped from updates of pods, too.",
    kinds: ["Pod"],
    changes: /^update: spec\.volumes\[\d\]\.image = \{\}$/,
  },
  {
    reason: "A new scheduling gate without a name is reported at the list.",
    kinds: ["Pod"],
    changes: /^update: spec\.schedulingGates = \[\{\}\]$/,
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
    changes: /: spec\.ports with its first item twice$/,
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
];
