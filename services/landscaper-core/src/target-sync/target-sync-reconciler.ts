import {
  finalizer,
  formatKey,
  keyOf,
  kubeResources,
  resources,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import type { TargetSync } from "@landscaper/api";
import type { Lister, Reconcile } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf } from "../object-reading.ts";
import { addFinalizer, removeFinalizer, type ObjectFinalizer } from "../finalizers.ts";
import { fingerprintOf, nextAttempt, shareOf, type Attempt } from "./attempt.ts";
import { decideTargetSync, type TargetSyncDecision } from "./decide-target-sync.ts";
import { deleteMade, listMade } from "./made-objects.ts";
import { planCleanup } from "./plan-sync.ts";
import { withoutDoneAnnotations } from "./report-sync.ts";
import { storeOutcome } from "./store-outcome.ts";
import { syncTargets, type SyncOutcome } from "./sync-targets.ts";
import { isMade } from "./synced-objects.ts";
import type { SyncRun, TargetSyncContext } from "./target-sync-context.ts";

/** Keeps Targets and Secrets in step with a source cluster (core.md §3.9). */
export function createTargetSyncReconciler(context: TargetSyncContext): Reconcile {
  /** Last tries, by key of the TargetSync. */
  const attempts = new Map<string, Attempt>();
  return async (key, signal, slot) => {
    const id = formatKey(key);
    const targetSync = context.targetSyncs.get(key);
    if (targetSync === undefined) {
      attempts.delete(id);
      return undefined;
    }
    const siblings = listSiblings(context, targetSync);
    const secretVersion = secretVersionOf(context, targetSync);
    const attempt = attempts.get(id);
    const seen = { targetSync, siblings, secretVersion, made: listAllMade(context, targetSync) };
    const fingerprint = fingerprintOf(seen);
    const elapsedMs = context.clock.elapsed();
    const decision = decideTargetSync({ targetSync, siblings, attempt, fingerprint, elapsedMs });
    if (decision.kind === "wait") return { requeueAfterMs: decision.ms };
    if (decision.kind === "sync" && !slot.takeShare(shareOf(targetSync, attempt))) return undefined;
    const outcome = await perform({ context, targetSync, signal }, decision);
    if (outcome === undefined) return undefined;
    // What the try itself has written shall not count as a change.
    const left = fingerprintOf({
      targetSync: withoutDoneAnnotations(targetSync, outcome),
      siblings,
      secretVersion: outcome.secretVersion ?? secretVersion,
      made: listAllMade(context, targetSync),
    });
    const endMs = context.clock.elapsed();
    const time = { elapsedMs: endMs, random: context.random };
    const next = nextAttempt(attempt, { fingerprint: left, hasFailed: outcome.errors.length > 0 }, time);
    attempts.set(id, next);
    return { requeueAfterMs: next.nextTryMs - endMs };
  };
}

/** Undefined: nothing was tried. */
async function perform(run: SyncRun, decision: TargetSyncDecision): Promise<SyncOutcome | undefined> {
  switch (decision.kind) {
    case "rest":
    case "wait":
      return undefined;
    case "add-finalizer":
      await addFinalizer(run.context.client, finalizerOf(run), run.signal);
      return undefined;
    case "refuse":
      return storeOutcome(run, { errors: [decision.error] });
    case "sync":
      return storeOutcome(run, await syncTargets(run, decision.filter));
    case "remove":
      await removeMade(run);
      await removeFinalizer(run.context.client, finalizerOf(run), run.signal);
      return undefined;
    case "release":
      await removeFinalizer(run.context.client, finalizerOf(run), run.signal);
      return undefined;
  }
}

function finalizerOf({ targetSync }: SyncRun): ObjectFinalizer<TargetSync> {
  return { type: resources.targetSync, object: targetSync, finalizer };
}

async function removeMade(run: SyncRun): Promise<void> {
  const { context, targetSync } = run;
  const wanted = { targets: new Set<string>(), secrets: new Set<string>() };
  await deleteMade(run, planCleanup(targetSync, wanted, listMade(context, namespaceOf(targetSync))));
}

function listSiblings({ targetSyncs }: TargetSyncContext, { metadata }: TargetSync): readonly TargetSync[] {
  return targetSyncs.list({ namespace: metadata.namespace }).filter((other) => other.metadata.uid !== metadata.uid);
}

function listAllMade(context: TargetSyncContext, targetSync: TargetSync): readonly KubeObject[] {
  const { targets, secrets } = listMade(context, namespaceOf(targetSync));
  return [...targets, ...secrets];
}

function secretVersionOf({ secretMetadata }: TargetSyncContext, targetSync: TargetSync): string | undefined {
  const key = { namespace: namespaceOf(targetSync), name: targetSync.spec.secretRef.name };
  return secretMetadata.get(key)?.metadata.resourceVersion;
}

/** TargetSyncs that an event concerns: all of the namespace, as for siblings, for what was made, and for their own Secret. */
export function listConcerned(targetSyncs: Lister<TargetSync>, object: KubeObject): readonly ObjectKey[] {
  const inNamespace = targetSyncs.list({ namespace: object.metadata.namespace });
  if (object.kind === resources.targetSync.kind || isMade(object)) return inNamespace.map(keyOf);
  if (object.kind !== kubeResources.secret.kind) return [];
  return inNamespace.filter(({ spec }) => spec.secretRef.name === nameOf(object)).map(keyOf);
}
