import { LandscaperError, type ResourceType } from "@landscaper/api";

export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * False for what no object is called. Names often come from what users write, such as a status. An API server decodes the path before it
 * splits it, so that these would be another object, or, without a name, all objects of a namespace.
 */
export function canBeName(value: string): boolean {
  return !(value === "" || value === "." || value === ".." || /[/%]/.test(value));
}

function checkSegment(type: ResourceType, field: "name" | "namespace", value: string | undefined): void {
  if (value === undefined || canBeName(value)) return;
  throw new LandscaperError({
    message: `${type.kind}: expected the ${field} of an object, found ${JSON.stringify(value)}`,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/**
 * Path of a collection or an object, e.g. "/apis/apps/v1/namespaces/default/deployments/web/status". Throws LandscaperError for a name
 * that no object can have.
 */
export function resourcePath(type: ResourceType, at: ResourceLocation): string {
  if (type.namespaced && at.namespace === undefined && at.name !== undefined) {
    throw new TypeError(`${type.kind} ${at.name}: the namespace is missing`);
  }
  checkSegment(type, "name", at.name);
  if (type.namespaced) checkSegment(type, "namespace", at.namespace);
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
