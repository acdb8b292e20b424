import type { HookEvent } from "@landscaper/helm";
import { uninstallOrder } from "@landscaper/helm";
import { timeOf, type ReleaseContext, type ReleaseWait } from "./release-context.ts";
import { locateRecords, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord } from "./release-record.ts";
import { awaitRemoval, removeReleaseObjects } from "./remove-objects.ts";
import { advanceSteps, hookStep, type Step } from "./steps.ts";

export interface UninstallOptions {
  /** Ends only when all objects are gone. */
  readonly wait?: boolean | undefined;
  /** Keeps the records, the last one as "uninstalled". */
  readonly keepHistory?: boolean | undefined;
  readonly disableHooks?: boolean | undefined;
}

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
    /** The oldest revision first, and the newest of them. */
    { history, newest }: { readonly history: readonly ReleaseRecord[]; readonly newest: ReleaseRecord },
    options: UninstallOptions,
  ) {
    this.#context = context;
    this.#history = history;
    this.#options = options;
    this.#record = newest;
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
    return await advanceSteps(this.#steps, signal);
  }

  async #begin(signal: AbortSignal): Promise<undefined> {
    const { cluster, namespace, store, now } = this.#context;
    // Older ones that are not superseded count as well: failed upgrades leave objects.
    const records = this.#history.filter(
      (record) => record === this.#record || record.info.status === "deployed" || record.info.status === "failed",
    );
    const located = await locateRecords(cluster, records.toReversed(), { namespace, signal });
    this.#objects = [...located.values()];
    const { info } = this.#record;
    const description = "Deletion in progress (or silently failed)";
    this.#record = { ...this.#record, info: { ...info, status: "uninstalling", deleted: timeOf(now()), description } };
    await store.update(this.#record, { signal });
    return undefined;
  }

  #hooks(event: HookEvent): Step[] {
    if (this.#options.disableHooks === true) return [];
    const record = { get: () => this.#record, set: (next: ReleaseRecord) => void (this.#record = next) };
    return [hookStep(this.#context, event, record)];
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
