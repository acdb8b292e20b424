// When an installation has reached what, by watches of the namespace that agent, deployers and deployer management share.
import { kubeResources, resources, type Deployment, type KubeObject, type Pod } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { recordHistory, type SeenAt } from "../../src/kits/object-history.ts";

/** By `performance.now()`; NaN where it has not come to that. */
export interface InstallMarks {
  /** The pod of the agent is ready. */
  readonly agent: number;
  /** The core has created the Installations of all deployers: it knows the Environment. */
  readonly installations: number;
  /** Their DeployItems. */
  readonly deployItems: number;
  /** The Deployments of all deployers. */
  readonly deployments: number;
  /** The containers of all deployers run. */
  readonly running: number;
  /** All Deployments are available. */
  readonly available: number;
}

export interface MarkWatch {
  marks(): InstallMarks;
  stop(): Promise<void>;
}

export interface MarkOptions {
  readonly client: Client;
  readonly namespace: string;
  /** Releases of the deployers. */
  readonly releases: readonly string[];
  /** Release of the agent. */
  readonly agent: string;
}

/** When the last of `count` objects with different names fulfilled the condition for the first time; NaN: not yet. Pure. */
export function whenAll<T extends KubeObject>(
  seen: readonly SeenAt<T>[],
  count: number,
  isMet: (object: T) => boolean = () => true,
): number {
  const first = new Map<string, number>();
  for (const { type, object, at } of seen) {
    const { name = "" } = object.metadata;
    if (type !== "DELETED" && isMet(object) && !first.has(name)) first.set(name, at);
  }
  return [...first.values()].toSorted((one, other) => one - other)[count - 1] ?? Number.NaN;
}

const isAvailable = ({ status }: Deployment): boolean => (status?.availableReplicas ?? 0) > 0;
const isRunning = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;
const isReady = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.ready === true;

export async function watchMarks({ client, namespace, releases, agent }: MarkOptions): Promise<MarkWatch> {
  const [installations, deployItems, deployments, pods] = await Promise.all([
    recordHistory(client, resources.installation, namespace),
    recordHistory(client, resources.deployItem, namespace),
    recordHistory(client, kubeResources.deployment, namespace),
    recordHistory(client, kubeResources.pod, namespace),
  ]);
  const releaseOf = ({ metadata }: KubeObject): string => metadata.labels?.["app.kubernetes.io/instance"] ?? "";
  const isDeployer = (object: KubeObject): boolean => releases.includes(releaseOf(object));
  const count = releases.length;
  return {
    marks: () => ({
      agent: whenAll(pods.seen, 1, (pod) => releaseOf(pod) === agent && isReady(pod)),
      installations: whenAll(installations.seen, count),
      deployItems: whenAll(deployItems.seen, count),
      deployments: whenAll(deployments.seen, count, isDeployer),
      running: whenAll(pods.seen, count, (pod) => isDeployer(pod) && isRunning(pod)),
      available: whenAll(deployments.seen, count, (object) => isDeployer(object) && isAvailable(object)),
    }),
    async stop() {
      for (const history of [installations, deployItems, deployments, pods]) await history.stop();
    },
  };
}
