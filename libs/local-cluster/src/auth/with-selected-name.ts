import type { AccessRequest } from "./authorizer.ts";

const selecting: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

/** A list, watch or deletion that a field selector restricts to one name is judged as one of that object, so that `resourceNames` of a rule allow it. */
export function withSelectedName(access: AccessRequest, query: URLSearchParams): AccessRequest {
  if (access.type === "path" || access.name !== "" || !selecting.has(access.verb)) return access;
  const parts = (query.get("fieldSelector") ?? "").split(",");
  const [, name] = parts.map((part) => /^metadata\.name==?([^=]+)$/.exec(part)).find((found) => found !== null) ?? [];
  return name === undefined ? access : { ...access, name };
}
