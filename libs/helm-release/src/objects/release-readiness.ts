import { checkReadiness, referenceTo, resourceId, WorkloadTroubles, type HelmWait } from "@landscaper/resources";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";
import type { ReleaseObject } from "./release-objects.ts";

/** The wait for the objects of a revision (`helm --wait`), kept over the passes of a job. */
export class ReleaseReadiness {
  readonly #context: Pick<ReleaseContext, "cluster" | "elapsed">;
  readonly #objects: readonly ReleaseObject[];
  readonly #wait: HelmWait;
  readonly #ready = new Set<string>();
  readonly #suspects = new Map<string, number>();
  readonly #troubles = new WorkloadTroubles();

  constructor(context: Pick<ReleaseContext, "cluster" | "elapsed">, objects: readonly ReleaseObject[], wait: HelmWait) {
    this.#context = context;
    this.#objects = objects;
    this.#wait = wait;
  }

  /** Returns undefined if all objects are ready. Throws LandscaperError (ResourceFailed) with the template of an object that has failed. */
  async check(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { cluster, elapsed } = this.#context;
    const { unready, hint, awaited, lookAgainAfterMs } = await checkReadiness({
      cluster,
      entries: this.#objects.map(({ object }) => ({ resource: referenceTo(object) })),
      checks: { helmWait: this.#wait },
      ready: this.#ready,
      suspects: this.#suspects,
      troubles: this.#troubles,
      places: this.#places(),
      elapsedMs: elapsed(),
      clusterOf: () => Promise.reject(new Error("a release has one cluster")),
      signal,
    });
    return unready.length === 0 ? undefined : { waitingFor: unready, hint, awaited, lookAgainAfterMs };
  }

  #places(): ReadonlyMap<string, string> {
    const placed = this.#objects.flatMap(({ object, path }) => (path === undefined ? [] : [{ object, path }]));
    return new Map(placed.map(({ object, path }) => [resourceId(referenceTo(object)), path]));
  }
}
