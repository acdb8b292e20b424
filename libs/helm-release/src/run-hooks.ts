import type { UnstructuredObject } from "@landscaper/api";
import { hooksOf, type HookEvent } from "@landscaper/helm";
import {
  awaitObject,
  diagnoseWorkload,
  findLive,
  formatResource,
  referenceTo,
  resourceFailure,
} from "@landscaper/resources";
import { hookState } from "./hook-state.ts";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { releaseError } from "./release-error.ts";
import { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
import { deleteObject } from "./remove-objects.ts";
import type { HookPhase, HookRecord, ReleaseRecord } from "./release-record.ts";

/** The hooks of one event of a release, one after the other: each starts when the one before it has ended well. */
export class HookRun {
  readonly #context: ReleaseContext;
  readonly #event: HookEvent;
  readonly #queue: HookRecord[];
  readonly #ended: HookRecord[] = [];
  #isCreated = false;
  #record: ReleaseRecord;

  constructor(context: ReleaseContext, event: HookEvent, record: ReleaseRecord) {
    this.#context = context;
    this.#event = event;
    this.#record = record;
    this.#queue = hooksOf(record.hooks, event);
  }

  /** With the runs of its hooks. */
  get record(): ReleaseRecord {
    return this.#record;
  }

  /** Undefined when all have ended. Throws LandscaperError (HookFailed) that names event, object and template. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    for (let hook = this.#queue[0]; hook !== undefined; hook = this.#queue[0]) {
      const waiting = await this.#advanceHook(hook, signal);
      if (waiting !== undefined) return waiting;
      this.#ended.push(hook);
      this.#queue.shift();
      this.#isCreated = false;
    }
    await this.#deleteEnded(signal);
    return undefined;
  }

  async #advanceHook(hook: HookRecord, signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const items = await this.#locate(hook, signal);
    if (!this.#isCreated) {
      const waiting = await this.#clear(hook, items, signal);
      if (waiting !== undefined) return waiting;
      const now = timeOf(this.#context.now());
      this.#note(hook, { phase: "Running", started_at: now, completed_at: "" });
      await this.#context.store.update(this.#record, { signal });
      for (const item of items) await this.#create(hook, item, signal);
      this.#isCreated = true;
    }
    for (const { object } of items) {
      const waiting = await this.#watch(hook, object, signal);
      if (waiting !== undefined) return waiting;
    }
    this.#note(hook, { phase: "Succeeded", completed_at: timeOf(this.#context.now()) });
    return undefined;
  }

  async #locate(hook: HookRecord, signal: AbortSignal): Promise<ReleaseObject[]> {
    const { cluster, namespace } = this.#context;
    return await locateObjects(cluster, parseManifest(hook.manifest), { namespace, signal });
  }

  /** What an earlier run has left goes first, when the policy says so: by default it does. */
  async #clear(
    hook: HookRecord,
    items: readonly ReleaseObject[],
    signal: AbortSignal,
  ): Promise<ReleaseWait | undefined> {
    if (!hasPolicy(hook, "before-hook-creation")) return undefined;
    const { cluster } = this.#context;
    for (const item of items) {
      const reference = referenceTo(item.object);
      const live = await findLive(cluster, reference, signal);
      if (live === undefined) continue;
      if (live.metadata.deletionTimestamp === undefined) await this.#delete(item, signal);
      if ((await findLive(cluster, reference, signal)) === undefined) continue;
      return {
        waitingFor: [`${formatResource(reference)} of an earlier ${this.#event} hook to be gone`],
        awaited: [awaitObject(cluster, reference)],
      };
    }
    return undefined;
  }

  async #create(hook: HookRecord, { object, type }: ReleaseObject, signal: AbortSignal): Promise<void> {
    try {
      await this.#context.cluster.client.create(type, object, { fieldManager: "helm", signal });
    } catch (error) {
      signal.throwIfAborted();
      const failure = resourceFailure(error, { verb: "create", reference: referenceTo(object), sent: object });
      throw await this.#fail(hook, failure instanceof Error ? failure.message : String(failure), signal);
    }
  }

  async #watch(hook: HookRecord, object: UnstructuredObject, signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { cluster } = this.#context;
    const reference = referenceTo(object);
    const live = await findLive(cluster, reference, signal);
    const name = formatResource(reference);
    if (live === undefined) throw await this.#fail(hook, `${name} was deleted while it ran`, signal);
    const state = hookState(live);
    if (state.type === "succeeded") return undefined;
    if (state.type === "running") {
      return { waitingFor: [`${this.#event} hook ${name} to end`], awaited: [awaitObject(cluster, reference)] };
    }
    const diagnosis = await diagnoseWorkload(cluster, live, signal);
    throw await this.#fail(hook, `${name} ${diagnosis?.message ?? `has failed: ${state.message}`}`, signal);
  }

  /** Notes the failure, follows the policies, and returns the error to throw. */
  async #fail(hook: HookRecord, problem: string, signal: AbortSignal): Promise<Error> {
    this.#note(hook, { phase: "Failed", completed_at: timeOf(this.#context.now()) });
    if (hasPolicy(hook, "hook-failed")) await this.#deleteHook(hook, signal);
    await this.#deleteEnded(signal);
    return releaseError("HookFailed", `${this.#event} hook ${problem} (${hook.path})`);
  }

  async #deleteEnded(signal: AbortSignal): Promise<void> {
    for (const hook of this.#ended.splice(0)) {
      if (hasPolicy(hook, "hook-succeeded")) await this.#deleteHook(hook, signal);
    }
  }

  async #deleteHook(hook: HookRecord, signal: AbortSignal): Promise<void> {
    for (const item of await this.#locate(hook, signal)) await this.#delete(item, signal);
  }

  async #delete(item: ReleaseObject, signal: AbortSignal): Promise<void> {
    // The objects of a definition would go with it.
    if (item.object.kind === "CustomResourceDefinition") return;
    await deleteObject(item, { cluster: this.#context.cluster, signal });
  }

  #note(hook: HookRecord, run: { phase: HookPhase; started_at?: string; completed_at: string }): void {
    const isHook = (each: HookRecord): boolean =>
      each.path === hook.path && each.name === hook.name && each.kind === hook.kind;
    const hooks = this.#record.hooks.map((each) =>
      isHook(each) ? { ...each, last_run: { ...each.last_run, ...run } } : each,
    );
    this.#record = { ...this.#record, hooks };
  }
}

function hasPolicy({ delete_policies: policies = [] }: HookRecord, policy: string): boolean {
  return policies.length === 0 ? policy === "before-hook-creation" : policies.includes(policy);
}
