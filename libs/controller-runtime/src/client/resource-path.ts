import type { ResourceType } from "@landscaper/api";

export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Path of a collection or an object, e.g. "/apis/apps/v1/namespaces/default/deployments/web/status". */
export function resourcePath(type: ResourceType, at: ResourceLocation): string {
  if (type.namespaced && at.namespace === undefined && at.name !== undefined) {
    throw new TypeError(`${type.kind} ${at.name}: the namespace is missing`);
  }
  const segments = type.group === "" ? ["api", type.version] : ["apis", type.group, type.version];
  if (type.namespaced && at.namespace !== undefined) segments.push("namespaces", at.namespace);
  segments.push(type.plural);
  if (at.name !== undefined) segments.push(at.name);
  if (at.subresource !== undefined) segments.push(at.subresource);
  return `/${segments.map(encodeURIComponent).join("/")}`;
}

/** "?a=1&b=2" in the order given, "" when no value is set. */
export function queryString(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
