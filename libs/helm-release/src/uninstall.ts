import { type HookEvent, type KindOrder, loadDialect } from "@landscaper/helm";
import { revisionsAtWork } from "./records/decide-release.ts";
import { endedHooks, hookKey } from "./hooks/hook-progress.ts";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { locatePast, type PastObject } from "./objects/past-objects.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import { helmVersionOf } from "./records/helm-version-of.ts";
import { removeLeftHooks } from "./hooks/remove-left-hooks.ts";
import { awaitRemoval, removeReleaseObjects } from "./objects/remove-objects.ts";
import { advanceSteps, hookStep, type Step } from "./hooks/steps.ts";

export interface UninstallOptions {
  /** Ends only when all objects are gone. */
  readonly wait?: boolean | undefined;
  /** Keeps the records, the last one as "uninstalled". */
  readonly keepHistory?: boolean | undefined;
  readonly disableHooks?: boolean | undefined;
  /** `resourceId`s of objects that stay, because another release contains them. */
  readonly spared?: ReadonlySet<string> | undefined;
}

/** Removes the objects of a release and its records, in steps as RollOut does. One that was dropped half-way is done again. */
export class Uninstall {
  readonly #context: ReleaseContext;
  readonly #history: readonly ReleaseRecord[];
  readonly #options: UninstallOptions;
  readonly #steps: Step[];
  /** Hooks that have run before an earlier try of this uninstall was interrupted. */
  readonly #ended: ReadonlySet<string>;
  #record: ReleaseRecord;
  #objects: readonly PastObject[] = [];

  constructor(
    context: ReleaseContext,
    /** The oldest revision first, and the newest of them. */
    { history, newest }: { readonly history: readonly ReleaseRecord[]; readonly newest: ReleaseRecord },
    options: UninstallOptions,
  ) {
    this.#context = context;
    this.#history = history;
    this.#options = options;
    this.#record = newest;
    const { status, deleted: since } = newest.info;
    const events = ["pre-delete", "post-delete"] as const;
    this.#ended = new Set(status === "uninstalling" ? endedHooks(newest, { events, since }).map(hookKey) : []);
    if (status === "uninstalled") {
      // Nothing but its records is left.
      this.#steps = [(signal) => this.#finish(signal)];
      return;
    }
    this.#steps = [
      (signal) => this.#begin(signal),
      ...this.#hooks("pre-delete"),
      (signal) => this.#remove(signal),
      (signal) => this.#awaitRemoval(signal),
      ...this.#hooks("post-delete"),
      (signal) => this.#finish(signal),
    ];
  }

  /** Undefined when the release is gone. Throws LandscaperError; the record says "uninstalling" then. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    try {
      return await advanceSteps(this.#steps, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#record.info.status === "uninstalling") await this.#recordHooks(signal);
      throw error;
    }
  }

  /** How the hooks ended. What cannot be recorded must not hide what has happened. */
  async #recordHooks(signal: AbortSignal): Promise<void> {
    if (this.#record.hooks.length === 0) return;
    try {
      await this.#context.store.update(this.#record, { signal });
    } catch (error) {
      signal.throwIfAborted();
      const { name, version } = this.#record;
      this.#context.log.warn(
        { release: name, revision: version, error: String(error) },
        "could not record the failure",
      );
    }
  }

  async #begin(signal: AbortSignal): Promise<undefined> {
    const { cluster, name, namespace, store, now } = this.#context;
    // Not the newest alone: failed upgrades leave objects as well.
    const past = await locatePast(cluster, revisionsAtWork(this.#history), {
      release: { name, namespace },
      objects: [],
      signal,
    });
    this.#objects = [...past].flatMap(([id, object]) => (this.#options.spared?.has(id) === true ? [] : [object]));
    const { info } = this.#record;
    const description = "Deletion in progress (or silently failed)";
    const deleted = info.status === "uninstalling" && info.deleted !== "" ? info.deleted : timeOf(now());
    const uninstalling = { ...this.#record, info: { ...info, status: "uninstalling" as const, deleted, description } };
    await store.update(uninstalling, { signal });
    this.#record = uninstalling;
    await removeLeftHooks(this.#context, revisionsAtWork(this.#history), { spared: new Set(), signal });
    return undefined;
  }

  #hooks(event: HookEvent): Step[] {
    if (this.#options.disableHooks === true) return [];
    const record = {
      get: () => this.#record,
      set: (next: ReleaseRecord) => void (this.#record = next),
      hookHistory: () => ({ ended: this.#ended, records: this.#history }),
    };
    return [hookStep(this.#context, event, record)];
  }

  async #remove(signal: AbortSignal): Promise<undefined> {
    const { cluster, name, namespace } = this.#context;
    const { uninstallOrder } = await loadDialect(helmVersionOf(this.#record));
    for (const group of inOrder(this.#objects, uninstallOrder)) {
      await removeReleaseObjects(group, { cluster, release: { name, namespace }, signal });
    }
    return undefined;
  }

  async #awaitRemoval(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    if (this.#options.wait !== true) return undefined;
    return await awaitRemoval(this.#objects, { cluster: this.#context.cluster, signal });
  }

  async #finish(signal: AbortSignal): Promise<undefined> {
    const { store } = this.#context;
    if (this.#options.keepHistory === true) {
      await this.#supersede(signal);
      const info = { ...this.#record.info, status: "uninstalled" as const, description: "Uninstallation complete" };
      await store.update({ ...this.#record, info }, { signal });
      return undefined;
    }
    // The newest goes last: as long as it is there, the next attempt knows what is left to do.
    for (const record of this.#history) await store.remove(record, { signal });
    return undefined;
  }

  /** Nothing is deployed any more. */
  async #supersede(signal: AbortSignal): Promise<void> {
    for (const record of this.#history) {
      if (record.version === this.#record.version || record.info.status !== "deployed") continue;
      const info = { ...record.info, status: "superseded" as const };
      await this.#context.store.update({ ...record, info }, { signal });
    }
  }
}

/** Groups of one kind each, in Helm's order of uninstalling; kinds that it does not name come last. */
function inOrder(objects: readonly PastObject[], uninstallOrder: KindOrder): PastObject[][] {
  const rankOf = ({ object }: PastObject): number => {
    const index = uninstallOrder.indexOf(object.kind);
    return index < 0 ? uninstallOrder.length : index;
  };
  const groups = new Map<string, PastObject[]>();
  for (const item of objects.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    groups.set(item.object.kind, [...(groups.get(item.object.kind) ?? []), item]);
  }
  return [...groups.values()];
}
