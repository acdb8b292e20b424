import type { UnstructuredObject } from "@landscaper/api";
import { formatResource, groupOf, referenceTo, resourceId } from "../cluster/resource-reference.ts";
import { isJsonObject } from "../json-value.ts";
import { isBuiltInGroup } from "./built-in-groups.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";

/** How long jobs wait for the first status of a custom resource. */
export interface EmptyStatusRules {
  /** For kinds without an entry, in ms. */
  readonly waitMs: number;
  readonly kinds: readonly EmptyStatusRule[];
}

interface EmptyStatusRule {
  readonly apiVersion: string;
  readonly kind: string;
  readonly waitMs: number;
}

/** An object that counts as ready although it has no status: no later job waits for it. */
export interface ReadyWithoutStatus {
  readonly uid: string;
  readonly generation: number;
}

/** Whether an operator should write a status of the object and has not done so yet. */
export function lacksStatus({ apiVersion, status }: UnstructuredObject, { hasStatus }: UnstructuredType): boolean {
  const isEmpty = status === undefined || status === null || (isJsonObject(status) && Object.keys(status).length === 0);
  return isEmpty && hasStatus === true && !isBuiltInGroup(groupOf(apiVersion));
}

/**
 * Custom resources of one job whose operator has not written a status yet. The job waits for each that it has created or changed, for a limited
 * time. State of one job in one process.
 */
export class EmptyStatuses {
  readonly #changed = new Set<string>();
  readonly #sinceMs = new Map<string, number>();
  readonly #ready = new Map<string, ReadyWithoutStatus>();
  #timedOut: string[] = [];
  #mayAllHaveChanged: boolean;

  /** `isTakenOver`: another process began the job, so its changes are unknown. */
  constructor(known: readonly ReadyWithoutStatus[], { isTakenOver }: { readonly isTakenOver: boolean }) {
    for (const each of known) this.#ready.set(each.uid, each);
    this.#mayAllHaveChanged = isTakenOver;
  }

  /** Notes an object that the job has created, or whose generation it has changed. */
  noteChanged(id: string): void {
    this.#changed.add(id);
  }

  /** Notes that any object may have been created or changed. */
  noteAllChanged(): void {
    this.#mayAllHaveChanged = true;
  }

  /** Returns how long (ms) the job still waits for the status of the object; 0: it counts as ready. */
  remainingMs(live: UnstructuredObject, rules: EmptyStatusRules, elapsedMs: number): number {
    const id = resourceId(referenceTo(live));
    if (!this.#mayAllHaveChanged && !this.#changed.has(id)) return 0;
    const { uid = "", generation = 0 } = live.metadata;
    if (this.#ready.get(uid)?.generation === generation) return 0;
    const key = `${uid} ${generation}`;
    const sinceMs = this.#sinceMs.get(key) ?? elapsedMs;
    this.#sinceMs.set(key, sinceMs);
    const leftMs = Math.max(0, sinceMs + waitOf(live, rules) - elapsedMs);
    if (leftMs > 0) return leftMs;
    this.#ready.set(uid, { uid, generation });
    this.#timedOut.push(formatResource(referenceTo(live)));
    return 0;
  }

  /** Returns the objects whose wait has ended without a status since the last call. */
  takeTimedOut(): readonly string[] {
    const timedOut = this.#timedOut;
    this.#timedOut = [];
    return timedOut;
  }

  /** Objects without status that count as ready: of earlier jobs, and of this one. */
  get ready(): readonly ReadyWithoutStatus[] {
    return [...this.#ready.values()];
  }
}

function waitOf({ apiVersion, kind }: UnstructuredObject, { waitMs, kinds }: EmptyStatusRules): number {
  return kinds.find((rule) => rule.apiVersion === apiVersion && rule.kind === kind)?.waitMs ?? waitMs;
}
