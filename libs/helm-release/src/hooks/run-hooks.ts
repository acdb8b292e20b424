import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { isAlreadyExists, isDoubtful } from "@landscaper/controller-runtime";
import { hooksOf, type HookEvent } from "@landscaper/helm";
import { createThreeWayPatch } from "@landscaper/patch";
import {
  awaitObject,
  diagnoseWorkload,
  findLive,
  formatResource,
  referenceTo,
  resourceFailure,
  settleObject,
  WorkloadTroubles,
  type ObjectWrite,
  type ResourceReference,
} from "@landscaper/resources";
import { hookKey, isLeftBehind } from "./hook-progress.ts";
import { hookState } from "./hook-state.ts";
import { isDefinition } from "../objects/crd-files.ts";
import { checkNotOfAnotherRelease } from "../objects/ownership.ts";
import { timeOf, type HookContext, type ReleaseWait } from "../release-context.ts";
import { releaseError } from "../release-error.ts";
import { locatePlaced, parseManifest, type ReleaseObject } from "../objects/release-objects.ts";
import { deleteObject } from "../objects/remove-objects.ts";
import type { HookPhase, HookRecord, ReleaseRecord } from "../records/release-record.ts";

/** What is known of earlier runs of hooks. */
export interface HookHistory {
  /** Keys of hooks that this very operation has ended well before it was interrupted: they do not run again. */
  readonly ended: ReadonlySet<string>;
  /** Revisions whose hooks may have left something. */
  readonly records: readonly ReleaseRecord[];
}

/** The hooks of one event of a release, one after the other: each starts when the one before it has ended well. */
export class HookRun {
  readonly #context: HookContext;
  readonly #event: HookEvent;
  readonly #history: HookHistory;
  readonly #queue: HookRecord[];
  readonly #ended: HookRecord[];
  readonly #troubles = new WorkloadTroubles();
  #isCreated = false;
  #isRecorded = true;
  #record: ReleaseRecord;

  constructor(context: HookContext, event: HookEvent, { record, ...history }: HookHistory & { record: ReleaseRecord }) {
    this.#context = context;
    this.#event = event;
    this.#history = history;
    this.#record = record;
    const hooks = hooksOf(record.hooks, event);
    this.#queue = hooks.filter((hook) => !history.ended.has(hookKey(hook)));
    // Their policies may not have been followed yet.
    this.#ended = hooks.filter((hook) => history.ended.has(hookKey(hook)));
  }

  /** With the runs of its hooks. */
  get record(): ReleaseRecord {
    return this.#record;
  }

  /**
   * Undefined when all have ended, which is recorded then. Throws LandscaperError that names event, object and template: HookFailed, or what
   * the target has refused.
   */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    for (let hook = this.#queue[0]; hook !== undefined; hook = this.#queue[0]) {
      const waiting = await this.#advanceHook(hook, signal);
      if (waiting !== undefined) return waiting;
      this.#ended.push(hook);
      this.#queue.shift();
      this.#isCreated = false;
    }
    if (!this.#isRecorded) await this.#save(signal);
    await this.#deleteEnded(signal);
    return undefined;
  }

  async #save(signal: AbortSignal): Promise<void> {
    await this.#context.store.update(this.#record, { signal });
    this.#isRecorded = true;
  }

  async #advanceHook(hook: HookRecord, signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const items = await this.#locate(hook, signal);
    if (!this.#isCreated) {
      const waiting = await this.#clear(hook, items, signal);
      if (waiting !== undefined) return waiting;
      const now = timeOf(this.#context.now());
      this.#note(hook, { phase: "Running", started_at: now, completed_at: "" });
      await this.#save(signal);
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
    const objects = (await parseManifest(hook.manifest)).map((object) => ({ object, path: hook.path }));
    return await locatePlaced(cluster, objects, { namespace, signal });
  }

  /** What an earlier run has left goes first, when the policy says so (by default it does), or when that run was interrupted. */
  async #clear(
    hook: HookRecord,
    items: readonly ReleaseObject[],
    signal: AbortSignal,
  ): Promise<ReleaseWait | undefined> {
    const { cluster, name, namespace } = this.#context;
    for (const item of items.filter(({ object }) => !isDefinition(object))) {
      const reference = referenceTo(item.object);
      const live = await findLive(cluster, reference, signal);
      if (live === undefined) continue;
      if (!hasPolicy(hook, "before-hook-creation") && !isLeftBehind(live, hook, this.#history.records)) continue;
      checkNotOfAnotherRelease(live, { name, namespace }, `${this.#event} hook of ${hook.path}`);
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
    const { cluster } = this.#context;
    try {
      if (isDefinition(object))
        await settleObject({ cluster, type, object, decide: bringUpToDate(object), fieldManager: "helm", signal });
      else await cluster.client.create(type, object, { fieldManager: "helm", signal });
    } catch (error) {
      signal.throwIfAborted();
      const sent = { sent: object, secrets: cluster.sentSecrets };
      const failure = await resourceFailure(error, { verb: "create", reference: referenceTo(object), ...sent });
      if (isAlreadyExists(error) && !hasPolicy(hook, "before-hook-creation")) {
        const problem = `${failure instanceof Error ? failure.message : ""}, and its delete policy keeps it`;
        const hint = "delete it, or give the hook the delete policy before-hook-creation";
        throw await this.#fail(hook, { problem, hint, isCreated: false }, signal);
      }
      if (!(failure instanceof LandscaperError)) throw failure;
      if (failure.reason === "TargetRefused")
        throw await this.#fail(hook, { problem: failure.message, isCreated: false }, signal);
      throw await this.#interrupt(hook, { failure, isCreated: isDoubtful(error) }, signal);
    }
  }

  async #watch(hook: HookRecord, object: UnstructuredObject, signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { cluster } = this.#context;
    const reference = referenceTo(object);
    const live = await this.#look(hook, reference, signal);
    const name = formatResource(reference);
    if (live === undefined) throw await this.#fail(hook, { problem: `${name} was deleted while it ran` }, signal);
    const state = hookState(live);
    if (state.type === "succeeded") return undefined;
    if (state.type === "running") {
      const question = { cluster, elapsedMs: this.#context.elapsed(), signal };
      const { found, awaited, lookAgainAfterMs } = await this.#troubles.of(live, question);
      return {
        waitingFor: [`${this.#event} hook ${name} to end${found === undefined ? "" : `; ${found.text}`}`],
        hint: found?.remedy,
        awaited: [awaitObject(cluster, reference), ...awaited],
        lookAgainAfterMs,
      };
    }
    const diagnosis = await diagnoseWorkload(cluster, live, signal);
    throw await this.#fail(
      hook,
      { problem: `${name} ${diagnosis?.message ?? `has failed: ${state.message}`}`, hint: diagnosis?.remedy },
      signal,
    );
  }

  async #look(
    hook: HookRecord,
    reference: ResourceReference,
    signal: AbortSignal,
  ): Promise<UnstructuredObject | undefined> {
    try {
      return await findLive(this.#context.cluster, reference, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LandscaperError)) throw error;
      throw await this.#interrupt(hook, { failure: error, isCreated: true }, signal);
    }
  }

  /** Notes the failure, follows the policies, and returns the error to throw. */
  async #fail(
    hook: HookRecord,
    {
      problem,
      hint,
      isCreated = true,
    }: { readonly problem: string; readonly hint?: string | undefined; readonly isCreated?: boolean },
    signal: AbortSignal,
  ): Promise<Error> {
    await this.#end(hook, { phase: "Failed", isCreated }, signal);
    const message = `${this.#event} hook ${problem} (${hook.path})`;
    return releaseError("HookFailed", message, hint === undefined ? {} : { hint });
  }

  /** Nobody can tell for now how the hook fares: as for Helm it has failed then. It may be tried again. */
  async #interrupt(
    hook: HookRecord,
    { failure, isCreated }: { readonly failure: LandscaperError; readonly isCreated: boolean },
    signal: AbortSignal,
  ): Promise<LandscaperError> {
    await this.#end(hook, { phase: isCreated ? "Unknown" : "Failed", isCreated }, signal);
    const { reason, codes, hint, retry } = failure;
    const message = `${this.#event} hook ${failure.message} (${hook.path})`;
    return new LandscaperError({ message, reason, codes, hint, retry, cause: failure });
  }

  /** Notes how a hook ended that has not ended well, and follows the policies as far as the target lets it: the failure itself is to be told. */
  async #end(
    hook: HookRecord,
    { phase, isCreated }: { readonly phase: HookPhase; readonly isCreated: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const completed_at = timeOf(this.#context.now());
    this.#note(hook, { phase, completed_at });
    try {
      // What was not created by this run is somebody else's, or another run's.
      if (isCreated && hasPolicy(hook, "hook-failed")) await this.#deleteHook(hook, signal);
      await this.#deleteEnded(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#context.log.warn({ hook: hook.name, error }, "could not delete a hook by its policy");
      // So that the next run removes it.
      if (isCreated) this.#note(hook, { phase: "Unknown", completed_at });
    }
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
    if (isDefinition(item.object)) return;
    await deleteObject(item.object, { cluster: this.#context.cluster, signal });
  }

  #note(hook: HookRecord, run: { phase: HookPhase; started_at?: string; completed_at: string }): void {
    const hooks = this.#record.hooks.map((each) =>
      hookKey(each) === hookKey(hook) ? { ...each, last_run: { ...each.last_run, ...run } } : each,
    );
    this.#record = { ...this.#record, hooks };
    this.#isRecorded = false;
  }
}

/** For a CRD, which is never deleted, because its instances would go with it. */
function bringUpToDate(object: UnstructuredObject): (live: UnstructuredObject | undefined) => ObjectWrite {
  return (live) => {
    if (live === undefined) return { type: "create", object };
    const patch = createThreeWayPatch({ original: object, modified: object, current: live }, object);
    return Object.keys(patch.body).length === 0 ? { type: "none" } : { type: "patch", patch };
  };
}

function hasPolicy({ delete_policies: policies = [] }: HookRecord, policy: string): boolean {
  return policies.length === 0 ? policy === "before-hook-creation" : policies.includes(policy);
}
