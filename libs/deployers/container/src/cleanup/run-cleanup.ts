import { kubeResources, LandscaperError, type KubeObject, type ResourceType } from "@landscaper/api";
import { ApiError, ConnectionError, type Client, type Clock } from "@landscaper/controller-runtime";
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
import { stopDeployer, type DeploymentPlace } from "./stop-deployer.ts";

export interface CleanupOptions extends CleanupScope {
  /** Namespace of the Pods of programs. */
  readonly namespace: string;
  /** Deployment of the deployer, which is stopped first. Undefined: no deployer runs. */
  readonly deployment: DeploymentPlace | undefined;
  readonly timeoutMs: number;
}

export interface CleanupContext {
  /** Of the host cluster. */
  readonly client: Client;
  readonly clock: Clock;
  /** A line for the log of the container. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

type Context = CleanupContext & { readonly options: CleanupOptions };

/** An object of the host with its kind as the client knows it. */
export interface HostListing extends ListedObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

const pauseMs = 2_000;
/** How long refused and failed requests are repeated: the API server learns of a new Role after a moment, and may restart. */
const patienceMs = 60_000;
const requestsAtOnce = 16;

/**
 * Removes everything that a deployer has created on its host, and returns when nothing is left. Safe to repeat after any failure. Throws LandscaperError
 * (CleanupIncomplete) that names what is left.
 */
export async function runCleanup(options: CleanupOptions, surroundings: CleanupContext): Promise<void> {
  const context = { ...surroundings, options };
  const deadline = surroundings.clock.elapsed() + options.timeoutMs;
  await repeat(context, deadline, async () => await advanceStop(context));
  await repeat(context, deadline, async () => await advanceRemoval(context));
}

/** Message of what is still to be done; undefined when a step is done. */
type Unfinished = { readonly problem: string; readonly hint: string } | undefined;

async function repeat({ clock, log, signal }: Context, deadline: number, pass: () => Promise<Unfinished>) {
  let failingSince: number | undefined;
  for (;;) {
    let unfinished: Unfinished;
    try {
      unfinished = await pass();
      failingSince = undefined;
      if (unfinished === undefined) return;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      failingSince ??= clock.elapsed();
      if (clock.elapsed() - failingSince >= patienceMs || clock.elapsed() >= deadline) throw requestFailed(error);
      log(`${error.message}; trying again`);
    }
    if (unfinished !== undefined && clock.elapsed() >= deadline) throw incomplete(unfinished);
    await clock.sleep(pauseMs, signal);
  }
}

async function advanceStop({ client, signal, log, options }: Context): Promise<Unfinished> {
  const { deployment } = options;
  if (deployment === undefined) return undefined;
  const pods = await stopDeployer({ ...deployment, client, signal });
  if (pods?.length === 0) {
    log(`Deployment ${deployment.namespace}/${deployment.name} is stopped`);
    return undefined;
  }
  const waitsFor = pods === undefined ? "its controller to scale it to 0" : `Pod ${pods.join(", ")} to end`;
  return {
    problem: `Deployment ${deployment.namespace}/${deployment.name} still waits for ${waitsFor}, and nothing was removed`,
    hint: "end the Pods of the Deployment, then uninstall again: the cleanup continues",
  };
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

function incomplete({ problem, hint }: NonNullable<Unfinished>): LandscaperError {
  return new LandscaperError({ message: problem, reason: "CleanupIncomplete", hint, retry: "never" });
}

function requestFailed(error: Error): LandscaperError {
  return new LandscaperError({
    message: `the cleanup of the host cluster stopped: ${error.message}`,
    reason: "CleanupIncomplete",
    hint: "correct what the message names, then uninstall again: the cleanup continues",
    retry: "never",
    cause: error,
  });
}
