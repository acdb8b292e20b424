import type { Hook, HookEvent } from "@landscaper/helm";
import { carryEndedHooks, endedHooks, hookKey } from "./hook-progress.ts";
import { HookStore } from "./hook-store.ts";
import { newRevision } from "../records/new-revision.ts";
import { timeOf, type ReleaseContext, type ReleaseWait } from "../release-context.ts";
import type { ReleaseRecord } from "../records/release-record.ts";
import { hookStep, type Step } from "./steps.ts";

/** Where the hooks run; `name` and `namespace` are those of the release that there would be. */
export type StandaloneContext = Omit<ReleaseContext, "store">;

export interface HookOperation {
  readonly kind: "install" | "upgrade";
  /** Tells operations apart: one that is begun again goes on, as what it was. */
  readonly id: string;
  readonly hooks: readonly Hook[];
}

interface Parts {
  readonly store: HookStore;
  readonly kind: HookOperation["kind"] | "delete";
  readonly record: ReleaseRecord;
  /** As it was stored before. */
  readonly before: ReleaseRecord | undefined;
}

/**
 * The hooks of a chart that is deployed without a release, run as a release would run them. They are kept in a Secret of the target, with
 * how far they have come: a new process goes on, and the deletion needs no chart.
 */
export class StandaloneHooks {
  readonly #context: StandaloneContext;
  readonly #store: HookStore;
  readonly #events: readonly HookEvent[];
  readonly #before: ReleaseRecord | undefined;
  readonly #steps = new Map<HookEvent, Step>();
  #record: ReleaseRecord;

  private constructor(context: StandaloneContext, { store, kind, record, before }: Parts) {
    this.#context = context;
    this.#store = store;
    this.#events = eventsOf(kind);
    this.#record = record;
    this.#before = before;
  }

  /** For an install or upgrade with these hooks. Nothing runs yet, but what is to run, then or at the deletion, is stored. */
  static async prepare(
    context: StandaloneContext,
    operation: HookOperation,
    signal: AbortSignal,
  ): Promise<StandaloneHooks> {
    const store = new HookStore(context);
    const before = await store.read(signal);
    const begun = before?.info.description === operation.id ? before : undefined;
    const kind = (begun && kindOf(begun)) ?? operation.kind;
    const fresh = createRecord(context, { ...operation, kind });
    const record = begun === undefined ? fresh : carryEndedHooks(fresh, begun, { events: eventsOf(kind) });
    await store.update(record, { signal });
    return new StandaloneHooks(context, { store, kind, record, before });
  }

  /** For the deletion of what was deployed; undefined when no hooks are stored. */
  static async forDeletion(context: StandaloneContext, signal: AbortSignal): Promise<StandaloneHooks | undefined> {
    const store = new HookStore(context);
    const before = await store.read(signal);
    if (before === undefined) return undefined;
    let record = before;
    if (before.info.deleted === "") {
      record = { ...before, info: { ...before.info, status: "uninstalling", deleted: timeOf(context.now()) } };
      await store.update(record, { signal });
    }
    return new StandaloneHooks(context, { store, kind: "delete", record, before });
  }

  /** One pass of the hooks before, or after. Undefined when they have ended well; throws LandscaperError. */
  async advance(when: "pre" | "post", signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const event = this.#events.find((each) => each.startsWith(when));
    if (event === undefined) return undefined;
    const step = this.#steps.get(event) ?? this.#start(event);
    try {
      return await step(signal);
    } catch (error) {
      this.#steps.delete(event);
      signal.throwIfAborted();
      await this.#store.update(this.#record, { signal }).catch((second: unknown) => {
        // What has happened must not be hidden by what cannot be recorded.
        this.#context.log.warn({ error: String(second) }, "could not record how the hooks ended");
      });
      throw error;
    }
  }

  #start(event: HookEvent): Step {
    const step = hookStep({ ...this.#context, store: this.#store }, event, {
      get: () => this.#record,
      set: (record) => (this.#record = record),
      hookHistory: () => ({ ended: this.#ended(), records: this.#before === undefined ? [] : [this.#before] }),
    });
    this.#steps.set(event, step);
    return step;
  }

  #ended(): ReadonlySet<string> {
    const { deleted } = this.#record.info;
    return new Set(endedHooks(this.#record, { events: this.#events, since: deleted }).map(hookKey));
  }

  /** Forgets those that are stored; objects that hooks have left stay, as with Helm. */
  static async forget(context: StandaloneContext, signal: AbortSignal): Promise<void> {
    await new HookStore(context).remove(signal);
  }
}

function eventsOf(kind: Parts["kind"]): readonly HookEvent[] {
  return [`pre-${kind}`, `post-${kind}`];
}

const pending = { install: "pending-install", upgrade: "pending-upgrade" } as const;

function kindOf({ info }: ReleaseRecord): HookOperation["kind"] | undefined {
  if (info.status === pending.install) return "install";
  return info.status === pending.upgrade ? "upgrade" : undefined;
}

function createRecord({ name, namespace, now }: StandaloneContext, { kind, id, hooks }: HookOperation): ReleaseRecord {
  const content = { chart: {}, config: {}, manifest: "", hooks, notes: "" };
  const record = newRevision(content, { name, namespace, history: [], applyMethod: "csa", now: now() });
  return { ...record, info: { ...record.info, status: pending[kind], description: id } };
}
