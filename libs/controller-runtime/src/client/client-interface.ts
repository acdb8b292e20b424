import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called right before each attempt leaves, when it has its connection; what it throws keeps the request here, and the call throws it. */
  readonly beforeSend?: (() => void) | undefined;
}

export interface ListOptions extends RequestOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Page size; the client follows `continue` by itself. */
  readonly limit?: number | undefined;
  /** Once the list has this many objects, no further page is read: the list may then be incomplete. */
  readonly enough?: number | undefined;
  readonly resourceVersion?: string | undefined;
  /** Asks for metadata alone (PartialObjectMetadata): cheap for kinds of which only labels and owners matter. */
  readonly metadataOnly?: boolean | undefined;
  /** Called for each object of a page before the next page is read: a long list of large objects need not be in memory as a whole. Default: objects stay whole. */
  readonly reduce?: ((object: KubeObject) => KubeObject) | undefined;
}

export interface WriteOptions extends RequestOptions {
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: string | undefined;
  /** Only for server-side apply. */
  readonly force?: boolean | undefined;
}

export type Patch =
  | { readonly type: "merge"; readonly body: unknown }
  | { readonly type: "json"; readonly body: readonly unknown[] }
  | { readonly type: "strategic"; readonly body: unknown }
  | { readonly type: "apply"; readonly body: unknown };

export interface DeleteOptions extends RequestOptions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds?: number | undefined;
}

export interface ObjectList<T> {
  readonly resourceVersion: string;
  readonly items: T[];
}

export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: T }
  /** The server's Status object, e.g. code 410. */
  | { readonly type: "ERROR"; readonly status: StatusObject };

export interface StatusObject {
  readonly kind?: "Status";
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    /** The object that it is about; `kind` is often the plural. */
    readonly name?: string;
    readonly kind?: string;
    readonly causes?: { reason?: string; message?: string; field?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion: string;
  /** After which the server ends the watch; random between 5 and 10 minutes when absent. */
  readonly timeoutSeconds?: number | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Called when the server has accepted the watch: an idle one says nothing else for a minute. */
  readonly onOpen?: (() => void) | undefined;
}

/** Reads only: what `plan` and `diff` get, so that they cannot write by construction. */
export interface Reader {
  /** Throws ApiError (status 404) when the object is not there. */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: RequestOptions): Promise<T>;
  /** Like get, but undefined when the object is not there. */
  find<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: RequestOptions): Promise<T | undefined>;
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

/**
 * A thin typed Kubernetes client. Every method throws ApiError for an answer >= 400 and ConnectionError when no answer came.
 * Reads are retried on connection errors, 429 and 5xx with jittered backoff; writes only on 429 with Retry-After
 * and on connection errors that happened before the request was sent.
 */
export interface Client extends Reader {
  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** PUT; guarded by metadata.resourceVersion when the object carries one. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** PUT on the status subresource. */
  updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch & PatchOptions): Promise<T>;
  /**
   * Resolves to the object if finalizers keep it, else undefined, also for a missing object. Throws ApiError (404) if the server does not
   * serve the version or the kind: the object may exist in another version.
   */
  delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<T | undefined>;
  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Any other path, e.g. TokenRequest or discovery; answers parsed JSON, or the text that was asked for. */
  request(options: RawRequest): Promise<unknown>;
  /** The text of a path as it comes, e.g. of a log that is followed. Not retried. */
  stream(request: StreamRequest): AsyncIterable<string>;
  /**
   * The value without the secrets of the connection (token, password, key, ...) in its texts and keys, whatever form they have there. For
   * what is shown of answers: these hold them as they came.
   */
  mask<T>(value: T): T;
  /** Host, CA and credentials this client uses, for self targets. */
  readonly server: string;
  close(): Promise<void>;
}

export interface StreamRequest extends RequestOptions {
  /** Path with query. */
  readonly path: string;
}

export interface RawRequest extends RequestOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query, e.g. "/api/v1/namespaces/x/serviceaccounts/y/token". */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** What to make of the answer: "json" (default) is parsed, "text" is taken as it is, e.g. of a log. */
  readonly answer?: "json" | "text";
}
