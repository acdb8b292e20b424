import { hash as hashOf } from "node:crypto";
import type { UnstructuredObject } from "@landscaper/api";
import type { ApplyInput } from "./decide-apply.ts";
import { fieldAt } from "../json-value.ts";

/** What was written and how, in a few bytes. */
export interface Fingerprint {
  readonly hash: string;
  /** Whether the write is about the status, too: otherwise that is its controller's. */
  readonly hasStatus: boolean;
}

/** The same for writes that want the same of an object. */
export function fingerprintOf(input: Omit<ApplyInput, "live">): Fingerprint {
  const { manifest, strategy, owner, extraLabels, managers, ignore } = input;
  return {
    hash: digest([strategy, manifest.manifest, owner, extraLabels, managers, ignore]),
    hasStatus: manifest.manifest["status"] !== undefined && strategy !== "apply",
  };
}

/**
 * Remembers what was written last to the objects of a cluster, and what came of it. The API server fills in defaults, so that an
 * object never equals its manifest: what still is as it was then needs no write all the same. Only saves requests; a new process
 * starts without it.
 */
export class WrittenObjects {
  readonly #limit: number;
  /** By uid, the oldest first: what was written together with what came of it. */
  readonly #states = new Map<string, string>();

  /** `limit`: objects that are remembered at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  remember(object: UnstructuredObject, fingerprint: Fingerprint): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    this.#states.delete(uid);
    this.#states.set(uid, stateOf(object, fingerprint));
    const [oldest] = this.#states.keys();
    if (this.#states.size > this.#limit && oldest !== undefined) this.#states.delete(oldest);
  }

  /** Whether anything is remembered of the object: then it is worth while to look at it. */
  has(uid: string): boolean {
    return this.#states.has(uid);
  }

  /** Whether nobody has touched the object since it was written with this fingerprint. */
  isUntouched(object: UnstructuredObject, fingerprint: Fingerprint): boolean {
    const known = this.#states.get(object.metadata.uid ?? "");
    return known !== undefined && known === stateOf(object, fingerprint);
  }
}

/** Without what a write of the status changes. Lists give apiVersion and kind in another place than single objects. */
function stateOf(object: UnstructuredObject, { hash, hasStatus }: Fingerprint): string {
  const { apiVersion: _version, kind: _kind, metadata, status, ...content } = object;
  const { resourceVersion: _resourceVersion, managedFields = [], ...rest } = metadata;
  const owners = managedFields.filter((entry) => fieldAt(entry, "subresource") !== "status");
  return digest([hash, rest, owners, content, hasStatus ? status : null]);
}

function digest(value: unknown): string {
  return hashOf("sha256", JSON.stringify(value), "base64");
}
