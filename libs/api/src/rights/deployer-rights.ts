import { groupName } from "../objects/api-group.ts";
import type { Right } from "./right.ts";

export interface DeployerNeeds {
  /** Whether it connects to the clusters of Targets. */
  readonly connects: boolean;
  /** What it reads beside that, in the namespaces of its items. */
  readonly reads?: readonly Right[];
  /** Which Secrets it reads beside those of Targets that it connects to: a sentence. */
  readonly readsSecrets?: string;
  /** Whether a Role of its own lists the Secrets that it reads. */
  readonly readsListedSecrets?: true;
}

const writesSecrets = "Writes exports and plans into Secrets of the items, and deletes exports that are dropped.";

function secretRight({ connects, readsSecrets, readsListedSecrets }: DeployerNeeds): Right {
  const secrets = { group: "", resources: ["secrets"] };
  if (readsListedSecrets === true) {
    const why = `${writesSecrets} The core lists the Secrets that it reads in a Role.`;
    return { ...secrets, verbs: ["create", "update", "delete"], why };
  }
  const reasons = [connects ? "Reads the access data of Targets." : undefined, readsSecrets, writesSecrets];
  const why = reasons.filter((reason) => reason !== undefined).join(" ");
  return { ...secrets, verbs: ["get", "create", "update", "delete"], why };
}

/** What a deployer does on the landscaper cluster, in all namespaces. What it does on targets needs rights of the Target's credentials. */
export function deployerRights(needs: DeployerNeeds): readonly Right[] {
  const { connects, reads = [] } = needs;
  return [
    {
      group: groupName,
      resources: ["deployitems"],
      verbs: ["get", "list", "watch", "update", "patch"],
      why: "Works on deploy items: adds and removes the finalizer, and removes annotations that ask for an operation.",
    },
    {
      group: groupName,
      resources: ["deployitems/status"],
      verbs: ["update"],
      why: "Claims items, and writes phases, progress and errors.",
    },
    {
      group: groupName,
      resources: ["targets"],
      verbs: ["get", "list", "watch"],
      why: `Finds out by the Targets of items which are its own${connects ? ", and how to reach their clusters" : ""}.`,
    },
    ...reads,
    secretRight(needs),
    ...(connects ? [tokenRight] : []),
    {
      group: "events.k8s.io",
      resources: ["events"],
      verbs: ["create", "patch"],
      why: "Tells users what jobs come to, and counts repetitions.",
    },
  ];
}

const tokenRight: Right = {
  group: "",
  resources: ["serviceaccounts/token"],
  verbs: ["create"],
  why: "Mints the tokens of Targets with selfConfig or oidcConfig.",
};

/** Of items whose charts and values the helm deployer reads. */
const chartRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["contexts"],
    verbs: ["get"],
    why: "Finds out where charts come from, and with which credentials; those are in Secrets.",
  },
  {
    group: groupName,
    resources: ["dataobjects"],
    verbs: ["get"],
    why: "Reads values of charts (`valuesFrom`).",
  },
  {
    group: "",
    resources: ["configmaps"],
    verbs: ["get"],
    why: "Reads values of charts (`valuesFrom`), and configurations of OCM that Contexts name.",
  },
];

export const manifestDeployerRights = deployerRights({ connects: true });
export const helmDeployerRights = deployerRights({ connects: true, reads: chartRights });
/** Of the helm deployer of an agent, in the namespace of deployer management. */
export const agentDeployerRights = deployerRights({ connects: true, reads: chartRights, readsListedSecrets: true });
/** Of items whose programs get credentials and a configuration of OCM. */
const programRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["contexts"],
    verbs: ["get"],
    why: "Finds out which pull secrets and which configuration of OCM are for the item.",
  },
  {
    group: "",
    resources: ["configmaps"],
    verbs: ["get"],
    why: "Reads configurations of OCM that Contexts name.",
  },
];

/** A container item's Target is data for its program: the access data are read, no cluster is opened. */
export const containerDeployerRights = deployerRights({
  connects: false,
  reads: programRights,
  readsSecrets: "Reads the access data of Targets, and pull secrets.",
});

/** In the namespace for Pods, on the cluster that they run in. */
export const containerHostRights: readonly Right[] = [
  {
    group: "",
    resources: ["pods"],
    verbs: ["get", "list", "watch", "create", "patch", "delete"],
    why: "Runs the programs of items, one Pod for each job, and removes it. It hands get, list and watch on to the wait container of a Pod, for that Pod.",
  },
  {
    group: "",
    resources: ["secrets"],
    verbs: ["get", "list", "create", "update", "patch", "delete", "deletecollection"],
    why: "Keeps configuration, target, pull secrets, state and exports of items for their Pods. It hands get, create and patch on to the containers of a Pod, for what they read and write.",
  },
  {
    group: "",
    resources: ["configmaps"],
    verbs: ["get", "list", "create", "update", "deletecollection"],
    why: "Keeps configurations of OCM of items for their Pods.",
  },
  {
    group: "",
    resources: ["serviceaccounts"],
    verbs: ["get", "list", "create", "deletecollection"],
    why: "Makes the accounts of the init and wait containers of items.",
  },
  {
    group: "rbac.authorization.k8s.io",
    resources: ["roles"],
    verbs: ["get", "list", "create", "update", "deletecollection"],
    why: "Says for each run which objects these accounts may use.",
  },
  {
    group: "rbac.authorization.k8s.io",
    resources: ["rolebindings"],
    verbs: ["get", "list", "create", "deletecollection"],
    why: "Gives these accounts their roles.",
  },
];
export const mockDeployerRights = deployerRights({ connects: false });

/** In the namespace of the Leases of all deployers, on the landscaper cluster. */
export const leaseRights: readonly Right[] = [
  {
    group: "coordination.k8s.io",
    resources: ["leases"],
    verbs: ["get", "list", "watch", "create", "update", "delete"],
    why: "Holds a Lease while it works, watches those of the other deployers, ends the expired ones of processes that are gone, and removes them later. Their names follow from those of pods.",
  },
];
