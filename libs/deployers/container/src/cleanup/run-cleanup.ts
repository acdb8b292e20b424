import { kubeResources, type KubeObject, type ResourceType } from "@landscaper/api";
import {
  advanceStop,
  repeatCleanup,
  type CleanupContext,
  type DeploymentPlace,
  type Unfinished,
} from "@landscaper/deployer";
import { mapBounded } from "@landscaper/resources";
import { containerLabels, labelValue } from "../contract/labels.ts";
import { removePod } from "../deployer/host/remove-pods.ts";
import { observePod } from "../deployer/pod/pod-state.ts";
import {
  decideCleanup,
  ownTypes,
  type CleanupDecision,
  type CleanupScope,
  type ListedObject,
} from "./decide-cleanup.ts";
import { describeLeft } from "./describe-left.ts";

export interface CleanupOptions extends CleanupScope {
  /** Namespace of the Pods of programs. */
  readonly namespace: string;
  /** Deployment of the deployer, which is stopped first. Undefined: no deployer runs. */
  readonly deployment: DeploymentPlace | undefined;
  readonly timeoutMs: number;
}

type Context = CleanupContext & { readonly options: CleanupOptions };

/** An object of the host with its kind as the client knows it. */
export interface HostListing extends ListedObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

const requestsAtOnce = 16;

/**
 * Removes everything that a deployer has created on its host, and returns when nothing is left. Safe to repeat after any failure. Throws LandscaperError
 * (CleanupIncomplete) that names what is left.
 */
export async function runCleanup(options: CleanupOptions, surroundings: CleanupContext): Promise<void> {
  const context = { ...surroundings, options };
  const deadline = surroundings.clock.elapsed() + options.timeoutMs;
  const { deployment } = options;
  await repeatCleanup(context, { deadline, pass: async () => await advanceStop(context, deployment) });
  await repeatCleanup(context, { deadline, pass: async () => await advanceRemoval(context) });
}

async function advanceRemoval(context: Context): Promise<Unfinished> {
  const { log, options } = context;
  const { namespace, deployerId } = options;
  const decision = decideCleanup(await listHost(context), options);
  await perform(decision, context);
  const { pods, removals, held, kept } = decision;
  if (pods.length === 0 && removals.length === 0) {
    const states = kept.length === 0 ? "" : `; kept ${kept.length} Secrets with states of programs`;
    log(`namespace ${namespace} has no other objects of the deployer "${deployerId}"${states}`);
    return undefined;
  }
  log(`removed ${removals.length} objects; ${pods.length} Pods are ending, ${held.length} objects wait for them`);
  return {
    problem: `namespace ${namespace} still has objects of the deployer "${deployerId}": ${describeLeft([...pods, ...removals, ...held])}`,
    hint: "end these Pods (those of a lost node with `kubectl delete pod --force`) and remove foreign finalizers, then uninstall again: the cleanup continues",
  };
}

async function listHost({ client, signal, options }: Context): Promise<readonly HostListing[]> {
  const { namespace, deployerId } = options;
  const labelSelector = `${containerLabels.deployerId}=${labelValue(deployerId)}`;
  const lists = await Promise.all(
    ownTypes.map(async (type) => {
      // Secrets are never read: their metadata says whose they are.
      const metadataOnly = type !== kubeResources.pod;
      const { items } = await client.list<KubeObject>(type, { namespace, labelSelector, metadataOnly, signal });
      return items.map((object) => ({ kind: type.kind, type, object, metadata: object.metadata }));
    }),
  );
  return lists.flat();
}

async function perform({ pods, removals }: CleanupDecision<HostListing>, context: Context): Promise<void> {
  const { client, signal, options } = context;
  const { namespace } = options;
  const bounds = { limit: requestsAtOnce, signal };
  await mapBounded(pods, bounds, async ({ object }) => {
    await removePod(observePod(object), { cluster: { client }, namespace, signal });
  });
  await mapBounded(removals, bounds, async ({ type, metadata }) => {
    if (metadata.deletionTimestamp !== undefined) return;
    const { name = "", uid } = metadata;
    await client.delete(type, { namespace, name }, { uid, signal });
  });
}
