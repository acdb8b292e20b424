import type { UnstructuredObject } from "@landscaper/api";
import type { ClusterClock } from "../cluster/local-cluster.ts";
import type { WorkLoop } from "../controllers/work-loop.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { StatusError } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/event-history.ts";
import type { Decision } from "./actions.ts";
import { adoptOrphans, controllerOf } from "./owners.ts";
import { performActions } from "./perform.ts";

/** What the controllers of the simulation work with. */
export interface SimulationHost {
  readonly context: RestContext;
  readonly loop: WorkLoop;
  readonly clock: ClusterClock;
}

export interface ControllerOptions {
  /** Storage and kind of what it reconciles. */
  readonly storage: string;
  readonly kind: string;
  /** Storages of the objects that it controls, directly; their changes wake it. */
  readonly owns: readonly string[];
  /** Storage of the objects that it takes over when nobody controls them. */
  readonly adopts?: string;
  /** Reads what it has to know and decides; `failure` is what the last creates failed for. */
  decide(object: UnstructuredObject, failure: string | undefined): Decision;
  /** Objects to look at when another one has changed, beside those that control it. */
  readonly alsoWakes?: (event: StoreEvent) => readonly { readonly namespace: string; readonly name: string }[];
  /** Storages whose events `alsoWakes` gets. */
  readonly watches?: readonly string[];
}

const retryMs = 1000;

/** Runs one controller: every change of its objects and of what they control makes it decide again. */
export function startController({ context, loop, clock }: SimulationHost, options: ControllerOptions): void {
  const { storage, kind, owns } = options;
  const wakers = new Map<string, () => void>();
  const wakeSoon = (namespace: string, name: string): void =>
    loop.enqueue(`simulation/${storage}/${namespace}/${name}`, () => reconcile(namespace, name));

  const wakeAt = (key: string, atMs: number | undefined, wake: () => void): void => {
    wakers.get(key)?.();
    wakers.delete(key);
    if (atMs === undefined) return;
    wakers.set(key, clock.schedule(Math.max(atMs - clock.now(), 0), wake));
  };

  function reconcile(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    const wake = (): void => wakeSoon(namespace, name);
    try {
      wakeAt(key, decideAndPerform(namespace, name), wake);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Somebody's policy refuses the write; the real controllers try again, too.
      wakeAt(key, clock.now() + retryMs, wake);
    }
  }

  function decideAndPerform(namespace: string, name: string): number | undefined {
    const find = (): UnstructuredObject | undefined => context.store.collection(storage).get(namespace, name)?.object;
    const object = find();
    if (object === undefined) return undefined;
    const orphans = options.adopts === undefined ? [] : adoptOrphans(context, options.adopts, object);
    performActions(
      context,
      orphans.map((orphan) => ({ do: "update", object: orphan })),
    );
    const decision = options.decide(object, undefined);
    const failure = performActions(context, decision.actions);
    const again = failure === undefined ? undefined : find();
    if (again === undefined) return decision.wakeAtMs;
    performActions(context, options.decide(again, failure).actions);
    return clock.now() + retryMs;
  }

  context.store.subscribe(storage, ({ type, current: { namespace, name } }) => {
    if (type === "DELETED") wakeAt(`${namespace}/${name}`, undefined, () => undefined);
    else wakeSoon(namespace, name);
  });
  for (const owned of owns) {
    context.store.subscribe(owned, ({ current }) => {
      const owner = controllerOf(current.object);
      if (owner?.kind === kind) wakeSoon(current.namespace, owner.name);
    });
  }
  for (const watched of options.watches ?? []) {
    context.store.subscribe(watched, (event) => {
      for (const { namespace, name } of options.alsoWakes?.(event) ?? []) wakeSoon(namespace, name);
    });
  }
}
