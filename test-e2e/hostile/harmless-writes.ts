// Why each permitted request of the matrix is harmless. A permitted request without a reason fails the test.
import type { MatrixRow } from "./attack-matrix.ts";

interface Reason {
  /** Default: all accounts. */
  readonly account?: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly targets: readonly string[];
  readonly attacks: readonly string[];
  readonly why: string;
}

const nothing = "nothing foreign";
/** Attacks that do not change a new object without mark and owner. */
const noChange = [nothing, "no mark", "no owner"];
const changes = ["update", "patch"];
const ownItems = ["its own", "its own, claimed", "its own, being deleted", "of its host", "without a Target"];

const reasons: readonly Reason[] = [
  {
    account: "agent",
    resources: ["secrets"],
    verbs: ["get"],
    targets: ["its own"],
    attacks: [nothing],
    why: "The core lists the Secrets that the items of the agent, their Contexts and their Targets name.",
  },
  {
    account: "deployer",
    resources: ["secrets"],
    verbs: ["get"],
    targets: ["its own", "another Environment's", "a kubeconfig", "a release of Helm"],
    attacks: [nothing],
    why: "This deployer has all namespaces. With names in `spec.namespaces`, a deployer reads the Secrets of these namespaces alone.",
  },
  {
    account: "deployer",
    resources: ["deployitems", "targets", "contexts", "dataobjects", "configmaps"],
    verbs: ["get", "list", "watch"],
    targets: ["any"],
    attacks: [nothing],
    why: "This deployer has all namespaces. With names in `spec.namespaces`, a deployer reads these namespaces alone.",
  },
  {
    account: "agent",
    resources: ["deployitems", "targets", "contexts", "dataobjects", "configmaps"],
    verbs: ["get", "list", "watch"],
    targets: ["any"],
    attacks: [nothing],
    why: "The agent reads the namespace of deployer management, which has no objects of tenants. [What its Targets contain](../guide/security.md#what-each-account-can-do-at-worst).",
  },
  {
    resources: ["leases"],
    verbs: ["get", "list", "watch"],
    targets: ["any"],
    attacks: [nothing],
    why: "Leases contain identities and times of deployers and agents, and nothing secret.",
  },
  {
    account: "agent",
    resources: ["environments"],
    verbs: ["get", "list", "watch"],
    targets: ["its own"],
    attacks: [nothing],
    why: "Its own Environment contains nothing secret.",
  },
  {
    resources: ["secrets"],
    verbs: ["create"],
    targets: ["exports of its item", "plan of its item"],
    attacks: [nothing],
    why: "The account decides about the results of the items of its Environment anyway.",
  },
  {
    resources: ["secrets"],
    verbs: ["create"],
    targets: ["exports of its item", "plan of its item"],
    attacks: ["the mark of all Environments"],
    why: "The mark differs from the mark of the item: core and CLI reject the Secret, and the core takes it over when it blocks the deployer.",
  },
  {
    resources: ["secrets"],
    verbs: ["delete"],
    targets: ["its own"],
    attacks: [nothing],
    why: "The next job of the item writes the Secret again.",
  },
  {
    resources: ["deployitems"],
    verbs: changes,
    targets: ownItems,
    attacks: ["the finalizer of Landscaper"],
    why: "Every deployer adds this finalizer before its work. If the deployer never removes it, the deletion of the item waits, and its Installation names the item.",
  },
  {
    resources: ["deployitems"],
    verbs: changes,
    targets: ["its own, being deleted"],
    attacks: ["a finalizer of another tool"],
    why: "The write only removes the finalizer of Landscaper, which means that the item is uninstalled. The finalizer of the other tool was there before.",
  },
  {
    resources: ["deployitems/status"],
    verbs: ["update"],
    targets: ownItems,
    attacks: ["a forged result"],
    why: "The account decides about the results of the items of its Environment, and of items without a Target, which every Environment serves.",
  },
  {
    account: "agent",
    resources: ["environments"],
    verbs: ["update"],
    targets: ["its own"],
    attacks: ["fewer namespaces"],
    why: "The deployers of the own Environment lose rights. An administrator can add namespaces again.",
  },
  {
    account: "agent",
    resources: ["environments"],
    verbs: ["update"],
    targets: ["its own"],
    attacks: ["another sealing key", "another address of the landscaper cluster"],
    why: "These fields decide how the deployers of the own Environment get their tokens, and where they connect to. With them, the account gets the tokens of these deployers, and no others.",
  },
  {
    resources: ["leases"],
    verbs: ["create"],
    targets: ["a deployer's name", "a name of its agent"],
    attacks: noChange,
    why: "The holder is the account's own deployer or agent, and the names of cores and other agents have another shape. A deployer of this Environment whose Lease has this name waits and names the holder.",
  },
  {
    resources: ["leases"],
    verbs: ["delete"],
    targets: ["its deployer's", "its agent's"],
    attacks: [nothing],
    why: "The account's own processes lose their Lease and stop.",
  },
  {
    resources: ["events"],
    verbs: ["create"],
    targets: ["about its item"],
    attacks: noChange,
    why: "The Event names the account's own deployer as its reporter.",
  },
];

/** Returns why the request is harmless; undefined without a reason. */
export function reasonFor(row: Omit<MatrixRow, "outcome">): string | undefined {
  const matches = ({ account = row.account, resources, verbs, targets, attacks }: Reason): boolean =>
    account === row.account &&
    resources.includes(row.resource) &&
    verbs.includes(row.verb) &&
    targets.includes(row.target) &&
    attacks.includes(row.attack);
  return reasons.find(matches)?.why;
}
