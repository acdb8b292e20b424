import { groupName } from "../api-group.ts";
import type { Right } from "./right.ts";

export interface DeployerNeeds {
  /** Whether it connects to the clusters of Targets. */
  readonly connects: boolean;
  /** What it reads beside that, in the namespaces of its items. */
  readonly reads?: readonly Right[];
}

/** What a deployer does on the landscaper cluster, in all namespaces. What it does on targets needs rights of the Target's credentials. */
export function deployerRights({ connects, reads = [] }: DeployerNeeds): readonly Right[] {
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
    {
      group: "",
      resources: ["secrets"],
      verbs: ["get", "create", "update", "delete"],
      why: `${connects ? "Reads the access data of Targets. " : ""}Writes exports and plans into Secrets of the items, and deletes exports that are dropped.`,
    },
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
