import { createHash } from "node:crypto";
import type { UnstructuredObject } from "@landscaper/api";
import type { ApplyInput } from "./decide-apply.ts";

/** What was written and how, in a few bytes. */
export type Fingerprint = string;

/** The same for writes that want the same of an object. */
export function fingerprintOf({ manifest, strategy, owner, extraLabels }: Omit<ApplyInput, "live">): Fingerprint {
  return createHash("sha256")
    .update(JSON.stringify([strategy, manifest.manifest, owner, extraLabels]))
    .digest("base64");
}

/**
 * Remembers what was written last to the objects of a cluster, and which version came of it. The API server fills in defaults, so that an
 * object never equals its manifest: what is still at that version needs no write all the same. Only saves requests; a new
 * process starts without it.
 */
export class WrittenObjects {
  readonly #limit: number;
  /** By uid, the oldest first. */
  readonly #versions = new Map<string, { readonly version: string; readonly fingerprint: Fingerprint }>();

  /** `limit`: objects that are remembered at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  remember({ metadata }: UnstructuredObject, fingerprint: Fingerprint): void {
    const { uid, resourceVersion: version } = metadata;
    if (uid === undefined || version === undefined) return;
    this.#versions.delete(uid);
    this.#versions.set(uid, { version, fingerprint });
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > this.#limit && oldest !== undefined) this.#versions.delete(oldest);
  }

  /** Whether nobody has touched the object since it was written with this fingerprint. */
  isUntouched({ metadata }: UnstructuredObject, fingerprint: Fingerprint): boolean {
    const known = this.#versions.get(metadata.uid ?? "");
    return known?.version === metadata.resourceVersion && known?.fingerprint === fingerprint;
  }
}
