/** A request of the product or of its users, and its answer. */
export interface Exchange {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Empty for a request without a body. */
  readonly contentType: string;
  readonly requestBody: string;
  readonly status: number;
  readonly responseBody: string;
  /** Times of the arrival of the request and of the end of the answer, by performance.now(). */
  readonly began: number;
  readonly ended: number;
}

/** Returns the method, resource and subresource of a request: "PUT installations/status". */
export function kindOf({ method, path }: Pick<Exchange, "method" | "path">): string {
  const [route = ""] = path.split("?");
  const segments = route.split("/").filter((segment) => segment !== "");
  // /api/v1/... or /apis/GROUP/VERSION/...
  const rest = segments.slice(segments[0] === "api" ? 2 : 3);
  const [resource = "", , subresource] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  return `${method} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}

/** Returns true if the request names no other namespace. Late Events of jobs in other namespaces may come at any time. */
export function isWithin(namespace: string, { path }: Pick<Exchange, "path">): boolean {
  const [, found = namespace] = /\/namespaces\/([^/?]+)/.exec(path) ?? [];
  return found === namespace;
}

/** Metadata of an object that the API server assigns. */
export interface ServerMetadata {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Returns the server's metadata of an object; empty for a body that is not an API object. */
export function serverMetadataOf(body: string): ServerMetadata {
  if (!body.startsWith("{")) return {};
  const { metadata = {} } = JSON.parse(body) as { readonly metadata?: ServerMetadata }; // an object of the API, or a Status
  return metadata;
}

/** Counts the requests of each kind, most frequent first. */
export function countKinds(exchanges: readonly Exchange[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const kind of exchanges.map(kindOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}
