import type { KubeObject } from "@landscaper/api";
import {
  backoffDelayMs,
  matchesLabels,
  parseLabelSelector,
  type Clock,
  type LabelRequirement,
} from "@landscaper/controller-runtime";
import type { AwaitedObjects, TargetCluster } from "@landscaper/resources";
import { decideScopes } from "./decide-scopes.ts";
import { openScopeWatch, type ScopeWatch, type WatchState } from "./scope-watch.ts";

/** "change": one of the objects has changed. "watch": the watch stands (again), and something may have been missed before. */
export type News = "change" | "watch";

/** Somebody who waits for objects of one kind. */
export interface Subscriber {
  readonly objects: AwaitedObjects;
  /** `object`: what a change has led to; undefined for a deletion, and for a change that may have been missed. */
  readonly wake: (news: News, object?: KubeObject) => void;
}

export interface KindWatchesOptions {
  readonly cluster: TargetCluster;
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether nobody asks for more than the metadata. */
  readonly metadataOnly: boolean;
  readonly clock: Clock;
  readonly random: () => number;
  /** How long a watch outlives its last user, in ms. */
  readonly lingerMs: number;
  /** Whether the cluster may get one more watch; optional watches, which only explain a wait, have a lower limit. */
  readonly mayOpen: (isOptional: boolean) => boolean;
  /** All is closed, nobody is left. */
  readonly onEnd: () => void;
}

interface OpenScope {
  readonly watch: ScopeWatch;
  cancelClose: (() => void) | undefined;
}

const discoveryBackoff = { baseMs: 1000, maxMs: 30_000 };

/** The watches of one kind on one cluster, shared by all who wait for objects of it. */
export class KindWatches {
  readonly #options: KindWatchesOptions;
  readonly #subscribers = new Set<Subscriber>();
  /** How many wait in each namespace; undefined = in all, or the kind has none. */
  readonly #namespaces = new Map<string | undefined, number>();
  readonly #byName = new Map<string, Set<Subscriber>>();
  readonly #byLabels = new Map<Subscriber, readonly LabelRequirement[]>();
  readonly #scopes = new Map<string | undefined, OpenScope>();
  /** Subscribers that need their watch. */
  #needed = 0;
  readonly #ending = new AbortController();
  #type: Awaited<ReturnType<TargetCluster["discovery"]["find"]>>;
  #cancelEnd: (() => void) | undefined;

  constructor(options: KindWatchesOptions) {
    this.#options = options;
    void this.#start();
  }

  /** Connections in use. */
  get size(): number {
    return this.#scopes.size;
  }

  add(subscriber: Subscriber): void {
    this.#cancelEnd?.();
    this.#cancelEnd = undefined;
    this.#subscribers.add(subscriber);
    const { namespace, name, labelSelector, isOptional = false } = subscriber.objects;
    if (!isOptional) this.#needed++;
    if (name === undefined) this.#byLabels.set(subscriber, parseLabelSelector(labelSelector ?? ""));
    else this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(subscriber));
    const others = this.#namespaces.get(namespace) ?? 0;
    this.#namespaces.set(namespace, others + 1);
    if (others === 0 || (!isOptional && this.#needed === 1)) this.#arrange();
  }

  remove(subscriber: Subscriber): void {
    const { namespace, name, isOptional = false } = subscriber.objects;
    if (!this.#subscribers.delete(subscriber)) return;
    if (!isOptional) this.#needed--;
    this.#byLabels.delete(subscriber);
    const namesakes = name === undefined ? undefined : this.#byName.get(name);
    namesakes?.delete(subscriber);
    if (name !== undefined && namesakes?.size === 0) this.#byName.delete(name);
    const others = (this.#namespaces.get(namespace) ?? 0) - 1;
    if (others > 0) {
      this.#namespaces.set(namespace, others);
      return;
    }
    this.#namespaces.delete(namespace);
    if (this.#namespaces.size > 0) this.#arrange();
    else this.#cancelEnd ??= this.#options.clock.schedule(this.#options.lingerMs, () => this.end());
  }

  /** Whether every change of the objects is told from now on. */
  isStanding(objects: AwaitedObjects): boolean {
    const isStanding = (scope: string | undefined): boolean => this.#scopes.get(scope)?.watch.state === "standing";
    return isStanding(undefined) || isStanding(this.#namespaceOf(objects));
  }

  end(): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(new Error("nobody waits for it any more"));
    this.#cancelEnd?.();
    for (const [scope] of this.#scopes) this.#close(scope);
    this.#options.onEnd();
  }

  async #start(): Promise<void> {
    const { cluster, apiVersion, kind, clock, random } = this.#options;
    const { signal } = this.#ending;
    for (let failures = 1; this.#type === undefined && !signal.aborted; failures++) {
      // What hinders discovery is told by the passes, which need it as well.
      this.#type = await cluster.discovery.locate(apiVersion, kind, signal).catch(() => undefined);
      if (this.#type !== undefined) this.#arrange();
      else await clock.sleep(backoffDelayMs(discoveryBackoff, failures, random), signal).catch(() => {});
    }
  }

  /** Undefined: all namespaces, or the kind has none. */
  #namespaceOf({ namespace }: AwaitedObjects): string | undefined {
    return this.#type?.namespaced === false ? undefined : namespace;
  }

  #arrange(): void {
    if (this.#type === undefined || this.#ending.signal.aborted) return;
    const wanted = new Set(this.#namespaces.keys());
    const wide = this.#scopes.get(undefined)?.watch.state;
    const scopes = decideScopes({ isNamespaced: this.#type.namespaced, wanted, wide });
    for (const scope of scopes) this.#keep(scope);
    for (const [scope, open] of this.#scopes) {
      if (scopes.has(scope)) continue;
      open.cancelClose ??= this.#options.clock.schedule(this.#options.lingerMs, () => this.#close(scope));
    }
  }

  #keep(scope: string | undefined): void {
    const open = this.#scopes.get(scope);
    open?.cancelClose?.();
    if (open !== undefined) open.cancelClose = undefined;
    const { cluster, metadataOnly, clock, random, mayOpen } = this.#options;
    if (open !== undefined || this.#type === undefined || !mayOpen(this.#needed === 0)) return;
    const watch = openScopeWatch({
      client: cluster.client,
      type: this.#type,
      namespace: scope,
      metadataOnly,
      clock,
      random,
      onEvent: (event, object) => this.#tell(object, event === "DELETED"),
      onState: (changed, before) => this.#onState(scope, changed.state, before),
    });
    this.#scopes.set(scope, { watch, cancelClose: undefined });
  }

  #close(scope: string | undefined): void {
    const open = this.#scopes.get(scope);
    this.#scopes.delete(scope);
    open?.cancelClose?.();
    open?.watch.close();
  }

  #onState(scope: string | undefined, state: WatchState, before: WatchState): void {
    if (this.#ending.signal.aborted) return;
    const isStanding = state === "standing";
    // A watch that did not stand was relied upon by nobody.
    if (isStanding || before === "standing") {
      for (const { objects, wake } of this.#subscribers) {
        if (scope !== undefined && scope !== this.#namespaceOf(objects)) continue;
        if (isStanding) wake("watch");
        else if (!this.isStanding(objects)) wake("change");
      }
    }
    if (scope === undefined && state !== before) this.#arrange();
  }

  #tell(object: KubeObject, isDeleted: boolean): void {
    const { metadata } = object;
    const changed = isDeleted ? [] : [object];
    const isAt = ({ objects }: Subscriber): boolean => {
      const namespace = this.#namespaceOf(objects);
      return namespace === undefined || namespace === metadata.namespace;
    };
    for (const subscriber of this.#byName.get(metadata.name ?? "") ?? []) {
      if (isAt(subscriber)) subscriber.wake("change", ...changed);
    }
    for (const [subscriber, requirements] of this.#byLabels) {
      if (isAt(subscriber) && matchesLabels(requirements, metadata.labels)) subscriber.wake("change", ...changed);
    }
  }
}
