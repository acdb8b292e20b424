/** What a request asks for, as authorization and routing see it. Models apiserver/pkg/endpoints/request/requestinfo.go. */
export interface ResourceRequest {
  readonly type: "resource";
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** "" for cluster-scoped requests. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

export interface PathRequest {
  readonly type: "path";
  readonly verb: string;
  readonly path: string;
}

export type RequestInfo = ResourceRequest | PathRequest;

const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Subresources of a namespace itself; any other third segment is a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

export function parseRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const verb = verbs[method] ?? "";
  const other: PathRequest = { type: "path", verb: method.toLowerCase(), path };
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decode);
  const isCore = segments[0] === "api";
  if (!isCore && segments[0] !== "apis") return other;
  const [group, version, rest] = isCore
    ? ["", segments[1], segments.slice(2)]
    : [segments[1], segments[2], segments.slice(3)];
  if (group === undefined || version === undefined || rest.length === 0) return other;
  const place = splitPlace(rest);
  const isCollection = place.name === "";
  return { type: "resource", verb: refineVerb(verb, isCollection, query), group, version, ...place };
}

type Place = Pick<ResourceRequest, "resource" | "namespace" | "name" | "subresource">;

function splitPlace(segments: readonly string[]): Place {
  const [first = "", second, third, ...others] = segments;
  if (first !== "namespaces") return { resource: first, namespace: "", ...nameOf([second, third, ...others]) };
  if (second === undefined) return { resource: "namespaces", namespace: "", name: "", subresource: "" };
  if (third === undefined || namespaceSubresources.has(third)) {
    return { resource: "namespaces", namespace: second, name: second, subresource: third ?? "" };
  }
  return { resource: third, namespace: second, ...nameOf(others) };
}

function nameOf(segments: readonly (string | undefined)[]): Pick<Place, "name" | "subresource"> {
  const [name = "", ...subresource] = segments.filter((segment) => segment !== undefined);
  return { name, subresource: subresource.join("/") };
}

function refineVerb(verb: string, isCollection: boolean, query: URLSearchParams): string {
  if (verb === "get" && isWatch(query)) return "watch";
  if (!isCollection) return verb;
  if (verb === "get") return "list";
  return verb === "delete" ? "deletecollection" : verb;
}

function isWatch(query: URLSearchParams): boolean {
  const watch = query.get("watch");
  return watch === "1" || watch === "true";
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
