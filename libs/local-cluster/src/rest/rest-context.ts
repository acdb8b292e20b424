import type { UnstructuredObject } from "@landscaper/api";
import type { User } from "../auth/user.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Store } from "../storage/store.ts";

/** What an admission check looks at. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** In the version of `definition`; undefined for DELETE. */
  readonly object: UnstructuredObject | undefined;
  readonly oldObject: UnstructuredObject | undefined;
}

/** What all verbs work with. */
export interface RestContext {
  readonly store: Store;
  readonly resources: ResourceRegistry;
  /** Milliseconds since the epoch. */
  now(): number;
  newUid(): string;
  /** Five characters for generateName. */
  newNameSuffix(): string;
  /** Completes an object before it is validated, e.g. with a cluster IP. */
  mutate(definition: ResourceDefinition, object: UnstructuredObject, old?: UnstructuredObject): UnstructuredObject;
  /** Lets mutating webhooks change an object before it is prepared and validated. Throws StatusError when one denies the request. */
  admitMutating(request: AdmissionRequest & { readonly object: UnstructuredObject }): {
    readonly object: UnstructuredObject;
    readonly warnings: readonly string[];
  };
  /** Throws StatusError when a policy or webhook denies the request; returns warnings. */
  admit(request: AdmissionRequest): readonly string[];
}

/** Which object of which resource a request is about. */
export interface RestTarget {
  readonly definition: ResourceDefinition;
  /** "" for cluster-scoped resources and lists over all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly user: User;
}

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who owns what the request sets. */
  readonly manager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
}

/** The manager of what controllers write. */
export const systemManager = "kube-controller-manager";

export const systemWrite: WriteOptions = { dryRun: false, fieldValidation: "Ignore", manager: systemManager };

/** The answer of a verb on one object. */
export interface RestResult {
  readonly code: 200 | 201;
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/** Seconds precision, as metadata timestamps have it. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds !== lastTime.seconds) {
    lastTime = { seconds, text: `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z` };
  }
  return lastTime.text;
}

/** Every write asks for the time, many in the same second. */
let lastTime = { seconds: 0, text: "1970-01-01T00:00:00Z" };
