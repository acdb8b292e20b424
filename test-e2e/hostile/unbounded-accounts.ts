// Accounts of the product that no admission policy bounds, with the rights that charts, the agent and the container deployer give them.
import { policyRulesOf, serviceRightsFiles, type PolicyRule, type RightsFile } from "@landscaper/api";
import { initRules, waitRules } from "@landscaper/container-deployer-lib";

/** Namespaces in which accounts have rights, and which they attack. */
export const places = ["programs", "release", "management", "tenant", "kube-system"] as const;
export type Place = (typeof places)[number];

export interface UnboundedAccount {
  /** In the matrix. */
  readonly name: string;
  /** Why its rights do not break the bounds of others. */
  readonly why: string;
  /** Where it may have rights. Undefined: everywhere. */
  readonly confinedTo?: readonly (Place | "cluster")[];
  /** Where its rights may name their objects. Default: `confinedTo`. */
  readonly namedIn?: readonly (Place | "cluster")[];
  readonly grants: readonly AccountGrant[];
}

export interface AccountGrant {
  /** Undefined: in all namespaces. */
  readonly place: Place | undefined;
  readonly rules: readonly PolicyRule[];
}

/** The namespace of each file of rights for one namespace, by holder and file. */
const placesOfFiles: Readonly<Record<string, Place>> = {
  "landscaper/host-namespace": "release",
  "landscaper/host-health-check": "release",
  "landscaper/cleanup-release-namespace": "release",
  "container-deployer/host-namespace": "programs",
  "container-deployer/cleanup-host-namespace": "programs",
  "container-deployer/cleanup-release-namespace": "release",
  "landscaper-agent/landscaper-namespace": "management",
  "landscaper-agent/host-namespace": "release",
};

function fileName({ path, holder }: RightsFile): string {
  return `${holder}/${/([\w-]+)\.yaml$/.exec(path)?.[1] ?? path}`;
}

function placeOf(file: RightsFile): Place | undefined {
  if (file.scope === "cluster") return undefined;
  const name = fileName(file);
  const place = name.endsWith("/landscaper-lease-namespace") ? "management" : placesOfFiles[name];
  if (place === undefined) throw new Error(`no namespace is known for the rights in ${file.path}`);
  return place;
}

function rulesOf(file: RightsFile): readonly PolicyRule[] {
  const named = (name: string): string => name.replace("ENVIRONMENT", "hub").replace("DEPLOYMENT", "release");
  return policyRulesOf(file.rights).map((rule) =>
    rule.resourceNames === undefined ? rule : { ...rule, resourceNames: rule.resourceNames.map(named) },
  );
}

/** The account of init and wait of a program with a state, as the container deployer creates it for a run. */
function programRules(): readonly PolicyRule[] {
  const chunks = [{ name: "item-state-0" }];
  const job = {
    pod: "item-run",
    exports: { name: "item-export" },
    state: { index: { name: "item-state" }, chunks: ["item-state-0"], restore: { chunks } },
  };
  return [...initRules(job), ...waitRules(job)].map(({ apiGroups, resources, resourceNames, verbs }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    resourceNames: [...resourceNames],
    verbs: [...verbs],
  }));
}

interface OfChart {
  readonly chart: string;
  readonly has: (file: string) => boolean;
}

interface Described extends Omit<UnboundedAccount, "grants"> {
  readonly files?: OfChart;
  readonly grants?: readonly AccountGrant[];
}

const ofHub = "[The hub's own account](../guide/security.md#what-each-account-can-do-at-worst): no policy bounds it.";
const onHub = (file: string): boolean => file.startsWith("landscaper-");

const described: readonly Described[] = [
  { name: "core", why: ofHub, files: { chart: "landscaper", has: () => true } },
  ...["manifest", "helm", "container", "mock"].map((name) => ({
    name: `${name} deployer of the hub`,
    why: ofHub,
    files: { chart: `${name}-deployer`, has: onHub },
  })),
  {
    name: "agent of the hub",
    why: ofHub,
    confinedTo: ["management", "cluster"],
    files: { chart: "landscaper-agent", has: onHub },
  },
  {
    name: "agent on its host",
    why: "The agent administers its host, which belongs to its Environment.",
    confinedTo: ["release", "cluster"],
    files: { chart: "landscaper-agent", has: (file) => file.startsWith("host-") },
  },
  {
    name: "`deployer-ENVIRONMENT` on the host",
    why: "It installs deployers of any kind, so it has all rights on the host, which belongs to its Environment. The test tries two kinds of objects.",
    grants: [{ place: undefined, rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }],
  },
  {
    name: "container deployer on its host",
    why: "The namespace of programs contains only objects that this account creates.",
    confinedTo: ["programs"],
    files: { chart: "container-deployer", has: (file) => file === "host-namespace" },
  },
  {
    name: "cleanup of the container deployer",
    why: "It exists only during an uninstall. It deletes objects of the namespace of programs, and stops the deployer; other objects of the release are refused.",
    confinedTo: ["programs", "release"],
    files: { chart: "container-deployer", has: (file) => file.startsWith("cleanup-") },
  },
  {
    name: "init and wait of a program",
    why: "Its Role names the Secrets of its own run and its own Pod; all others are refused.",
    confinedTo: [],
    namedIn: ["programs"],
    grants: [{ place: "programs", rules: programRules() }],
  },
];

function grantsOf({ chart, has }: OfChart): readonly AccountGrant[] {
  return serviceRightsFiles
    .filter((file) => file.holder === chart && has(fileName(file).split("/")[1] ?? ""))
    .map((file) => ({ place: placeOf(file), rules: rulesOf(file) }));
}

export const unboundedAccounts: readonly UnboundedAccount[] = described.map(({ files, grants = [], ...account }) => ({
  ...account,
  grants: [...grants, ...(files === undefined ? [] : grantsOf(files))],
}));

/** Files of rights that no account of the matrix has. */
export const untriedFiles: readonly string[] = serviceRightsFiles
  .filter((file) => {
    const [holder, name = ""] = fileName(file).split("/");
    return !described.some(({ files }) => files?.chart === holder && files?.has(name) === true);
  })
  .map(({ path }) => path);
