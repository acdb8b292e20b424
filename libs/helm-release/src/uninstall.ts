import type { HookEvent } from "@landscaper/helm";
import { uninstallOrder } from "@landscaper/helm";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord } from "./release-record.ts";
import { awaitRemoval, removeReleaseObjects } from "./remove-objects.ts";
import { HookRun } from "./run-hooks.ts";

export interface UninstallOptions {
  /** Ends only when all objects are gone. */
  readonly wait?: boolean | undefined;
  /** Keeps the records, the last one as "uninstalled". */
  readonly keepHistory?: boolean | undefined;
  readonly disableHooks?: boolean | undefined;
}

type Step = (signal: AbortSignal) => Promise<ReleaseWait | undefined>;

/** Removes the objects of a release and its records, in steps as RollOut does. One that was dropped half-way is done again. */
export class Uninstall {
  readonly #context: ReleaseContext;
  readonly #history: readonly ReleaseRecord[];
  readonly #options: UninstallOptions;
  readonly #steps: Step[];
  #record: ReleaseRecord;
  #objects: readonly ReleaseObject[] = [];

  constructor(
    context: ReleaseContext,
    /** The oldest first, at least one. */
    history: readonly [...ReleaseRecord[], ReleaseRecord],
    options: UninstallOptions,
  ) {
    this.#context = context;
    this.#history = history;
    this.#options = options;
    this.#record = history[history.length - 1] ?? history[0];
    this.#steps = [
      (signal) => this.#begin(signal),
      this.#hooks("pre-delete"),
      (signal) => this.#remove(signal),
      (signal) => this.#awaitRemoval(signal),
      this.#hooks("post-delete"),
      (signal) => this.#finish(signal),
    ];
  }

  /** Undefined when the release is gone. Throws LandscaperError; the record says "uninstalling" then. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    for (let step = this.#steps[0]; step !== undefined; step = this.#steps[0]) {
      const waiting = await step(signal);
      if (waiting !== undefined) return waiting;
      this.#steps.shift();
    }
    return undefined;
  }

  async #begin(signal: AbortSignal): Promise<undefined> {
    const { cluster, namespace, store, now } = this.#context;
    this.#objects = await this.#locate(cluster, namespace, signal);
    const { info } = this.#record;
    const description = "Deletion in progress (or silently failed)";
    this.#record = { ...this.#record, info: { ...info, status: "uninstalling", deleted: timeOf(now()), description } };
    await store.update(this.#record, { signal });
    return undefined;
  }

  /** Those of the newest revision, and of older ones that are not superseded: failed upgrades leave them. */
  async #locate(cluster: ReleaseContext["cluster"], namespace: string, signal: AbortSignal): Promise<ReleaseObject[]> {
    const records = this.#history.filter(
      (record) => record === this.#record || record.info.status === "deployed" || record.info.status === "failed",
    );
    const located = new Map<string, ReleaseObject>();
    for (const { manifest } of records) {
      const objects = await locateObjects(cluster, parseManifest(manifest), { namespace, skipUnknown: true, signal });
      for (const item of objects) {
        const { kind, metadata } = item.object;
        located.set([item.type.group, kind, metadata.namespace ?? "", metadata.name ?? ""].join("/"), item);
      }
    }
    return [...located.values()];
  }

  #hooks(event: HookEvent): Step {
    let run: HookRun | undefined;
    return async (signal) => {
      if (this.#options.disableHooks === true) return undefined;
      run ??= new HookRun(this.#context, event, this.#record);
      try {
        return await run.advance(signal);
      } finally {
        this.#record = run.record;
      }
    };
  }

  async #remove(signal: AbortSignal): Promise<undefined> {
    const { cluster, name, namespace } = this.#context;
    for (const group of inOrder(this.#objects)) {
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
      const info = { ...this.#record.info, status: "uninstalled" as const, description: "Uninstallation complete" };
      await store.update({ ...this.#record, info }, { signal });
      return undefined;
    }
    // The newest goes last: as long as it is there, the next attempt knows what is left to do.
    for (const record of this.#history) await store.remove(record, { signal });
    return undefined;
  }
}

/** Groups of one kind each, in Helm's order of uninstalling; kinds that it does not name come last. */
function inOrder(objects: readonly ReleaseObject[]): ReleaseObject[][] {
  const rankOf = ({ object }: ReleaseObject): number => {
    const index = uninstallOrder.indexOf(object.kind);
    return index < 0 ? uninstallOrder.length : index;
  };
  const groups = new Map<string, ReleaseObject[]>();
  for (const item of objects.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    groups.set(item.object.kind, [...(groups.get(item.object.kind) ?? []), item]);
  }
  return [...groups.values()];
}
