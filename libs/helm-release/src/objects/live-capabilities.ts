import type { Capabilities } from "@landscaper/helm";
import { isJsonObject, resourceFailure, type TargetCluster } from "@landscaper/resources";

interface Known {
  readonly capabilities: Capabilities;
  readonly readAt: number;
}

/** New CRDs of a target are seen after so long, in ms. */
const maxAgeMs = 60_000;
const known = new WeakMap<TargetCluster["discovery"], Known>();

/**
 * What a cluster can do, for `.Capabilities`: its version, its group versions, and its kinds as `group/version/Kind`. Kept for a minute.
 * Throws LandscaperError when the cluster cannot be asked.
 */
export async function readCapabilities(
  { client, discovery }: TargetCluster,
  { elapsedMs, signal }: { readonly elapsedMs: number; readonly signal: AbortSignal },
): Promise<Capabilities> {
  const kept = known.get(discovery);
  if (kept !== undefined && elapsedMs - kept.readAt < maxAgeMs) return kept.capabilities;
  const get = async (path: string): Promise<unknown> => await client.request({ method: "GET", path, signal });
  try {
    const [version, core, groups] = await Promise.all([get("/version"), get("/api"), get("/apis")]);
    const groupVersions = [...textsOf(core, "versions"), ...groupVersionsOf(groups)];
    const kinds = await Promise.all(
      groupVersions.map(async (groupVersion) => kindsOf(groupVersion, await getOrNothing(groupVersion, get))),
    );
    const kubeVersion = textOf(version, "gitVersion");
    const kubeNumbers = { major: textOf(version, "major") ?? "", minor: textOf(version, "minor") ?? "" };
    const capabilities = { kubeVersion, kubeNumbers, apiVersions: [...groupVersions, ...kinds.flat()] };
    known.set(discovery, { capabilities, readAt: elapsedMs });
    return capabilities;
  } catch (error) {
    throw await resourceFailure(error, {
      verb: "discover",
      reference: { apiVersion: "v1", kind: "APIGroupList", name: "*" },
    });
  }
}

/** An aggregated API that does not answer has no kinds, as for Helm. */
async function getOrNothing(groupVersion: string, get: (path: string) => Promise<unknown>): Promise<unknown> {
  try {
    return await get(groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`);
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}

function isUnavailable(error: unknown): boolean {
  const status: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "status") : undefined;
  return status === 503 || status === 404;
}

function kindsOf(groupVersion: string, list: unknown): string[] {
  return itemsOf(list, "resources")
    .filter((resource) => textOf(resource, "name")?.includes("/") === false)
    .map((resource) => `${groupVersion}/${textOf(resource, "kind") ?? ""}`);
}

function groupVersionsOf(groups: unknown): string[] {
  return itemsOf(groups, "groups").flatMap((group) =>
    itemsOf(group, "versions").flatMap((version) => textOf(version, "groupVersion") ?? []),
  );
}

function textsOf(value: unknown, field: string): string[] {
  return itemsOf(value, field).filter((item) => typeof item === "string");
}

function itemsOf(value: unknown, field: string): unknown[] {
  const items = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(items) ? items : [];
}

function textOf(value: unknown, field: string): string | undefined {
  const text = isJsonObject(value) ? value[field] : undefined;
  return typeof text === "string" ? text : undefined;
}
