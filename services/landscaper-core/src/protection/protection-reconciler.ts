import {
  formatKey,
  protectionFinalizer,
  type DeployItem,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@landscaper/api";
import {
  isNotFound,
  type Client,
  type Clock,
  type EventRecorder,
  type Lister,
  type Reconcile,
} from "@landscaper/controller-runtime";
import { addFinalizer, removeFinalizer } from "../finalizers.ts";
import { nameOf, uidOf } from "../object-reading.ts";
import { decideProtection, type ProtectionDecision, type ProtectionState } from "./decide-protection.ts";
import type { Users } from "./used-objects.ts";

export interface ProtectionOptions<T extends KubeObject> {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  /** False: removes all finalizers. */
  readonly isEnabled: boolean;
  readonly type: ResourceType<T>;
  /** Metadata suffices. */
  readonly objects: Pick<Lister<T>, "get">;
  readonly users: Users;
}

/** Keeps objects that DeployItems need for their deletion (docs/reference/protection.md). */
export function createProtectionReconciler<T extends KubeObject>(options: ProtectionOptions<T>): Reconcile {
  const states = new Map<string, ProtectionState>();
  return async (key, signal) => {
    const id = formatKey(key);
    const object = options.objects.get(key);
    if (object === undefined) {
      states.delete(id);
      return undefined;
    }
    const isUsed = options.isEnabled && options.users.isUsed(key);
    const decision = decideProtection({ object, isUsed, state: states.get(id), elapsedMs: options.clock.elapsed() });
    if (decision.kind === "wait") return { requeueAfterMs: decision.ms };
    const state = await perform(options, { key, object, decision }, signal);
    if (state === undefined) return undefined;
    states.set(id, state);
    return undefined;
  };
}

interface Step<T extends KubeObject> {
  readonly key: ObjectKey;
  readonly object: T;
  readonly decision: ProtectionDecision;
}

/** Returns the new state, or undefined if nothing has changed. A conflict requeues the key. */
async function perform<T extends KubeObject>(
  { client, clock, recorder, type, users }: ProtectionOptions<T>,
  { key, object, decision }: Step<T>,
  signal: AbortSignal,
): Promise<ProtectionState | undefined> {
  const target = { type, object, finalizer: protectionFinalizer };
  const fresh: ProtectionState = { uid: uidOf(object), addedMs: undefined, isAnnounced: false };
  switch (decision.kind) {
    case "rest":
    case "wait":
      return undefined;
    case "announce":
      recorder.event(object, { type: "Normal", reason: "InUse", message: describeUsers(users.list(key)) });
      return { ...fresh, isAnnounced: true };
    case "add":
      await ignoreAbsence(addFinalizer(client, target, signal));
      return { ...fresh, addedMs: clock.elapsed() };
    case "remove":
      await ignoreAbsence(removeFinalizer(client, target, signal));
      return fresh;
  }
}

async function ignoreAbsence(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

const maxNamed = 3;

function describeUsers(users: readonly DeployItem[]): string {
  const names = users.slice(0, maxNamed).map(nameOf).join(", ");
  const more = users.length > maxNamed ? `, and ${users.length - maxNamed} more` : "";
  const subject = users.length === 1 ? "a DeployItem needs" : "DeployItems need";
  return `The deletion waits because ${subject} the object: ${names}${more}. Delete the Installations that own these DeployItems.`;
}
