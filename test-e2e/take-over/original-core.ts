// The original's core as a landscape meets it that goes back: the part of its protocol that such landscapes use, written from the
// specification (core.md §2) alone. It knows no more of our objects than the original does: kinds, labels, annotations, owners, names.
import type { Api, Item, Kind } from "../src/kits/plain-api.ts";
import { isConflict } from "../src/kits/plain-api.ts";
import { reconcileExecution } from "./original-execution.ts";
import { reconcileInstallation } from "./original-installation.ts";
import type { CoreContext } from "./original-objects.ts";

export interface OriginalCore {
  /** "create KIND NAME" and "change KIND NAME": sub-objects that it did not find, or found with another spec than it wants. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

const pauseMs = 40;

/** Somebody else was faster, or the object has gone: the next round sees that. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) || (error instanceof Error && Reflect.get(error, "status") === 404);
}

export function startOriginalCore(api: Api): OriginalCore {
  const log: string[] = [];
  const stopping = new AbortController();
  const core: CoreContext = { api, note: (line) => log.push(line) };

  async function reconcile(kind: Kind, work: (core: CoreContext, item: Item) => Promise<void>): Promise<void> {
    for (const item of await api.list(kind)) {
      // What a list answers lacks them.
      const whole = { ...item, apiVersion: "landscaper.gardener.cloud/v1alpha1", kind };
      await work(core, whole).catch((error: unknown) => {
        if (!isOvertaken(error)) throw error;
      });
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await reconcile("Installation", reconcileInstallation);
      await reconcile("Execution", reconcileExecution);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  const failure = running.catch((error: unknown) => error);
  return {
    log,
    async stop() {
      stopping.abort();
      const error = await failure;
      if (error !== undefined) throw error;
    },
  };
}
