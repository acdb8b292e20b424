import { groupName, LandscaperError, productVersion, versionName, type Right } from "@landscaper/api";
import { isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client-interface.ts";

export interface KindsDemand {
  readonly client: Pick<Client, "request">;
  /** For messages, such as "the landscaper cluster". */
  readonly cluster: string;
  /** What of Landscaper's kinds they are about has to be served. */
  readonly rights: readonly Right[];
}

/**
 * Throws a LandscaperError (KindsNotServed) when the API server does not serve the kinds of Landscaper that are worked on, in the version of
 * this release. Needs no right but discovery, which everybody has.
 */
export async function demandKinds({ client, cluster, rights }: KindsDemand, signal: AbortSignal): Promise<void> {
  const group = await find(client, `/apis/${groupName}`, signal);
  if (group === undefined) {
    throw notServed(`the Landscaper is not installed on ${cluster}: it does not serve ${groupName}`);
  }
  const versions = namesOf(group, "versions", "version");
  if (!versions.includes(versionName)) {
    const found = versions.length === 0 ? "none" : versions.join(", ");
    throw notServed(
      `${cluster} has CustomResourceDefinitions of another version: expected ${groupName}/${versionName}, found ${found}`,
    );
  }
  const served = await listServed(client, `${groupName}/${versionName}`, signal);
  const wanted = rights.filter((right) => right.group === groupName).flatMap(({ resources }) => resources);
  const missing = [...new Set(wanted)].filter((resource) => !served.includes(resource));
  if (missing.length === 0) return;
  throw notServed(`${cluster} does not serve ${missing.join(", ")} of ${groupName}/${versionName}`);
}

/**
 * Plurals of the resources, and of their subresources such as "deployitems/status", that the API server serves in a version such as
 * "apps/v1" of a group; none when it does not know the version. Needs no right but discovery, which everybody has.
 */
export async function listServed(
  client: KindsDemand["client"],
  version: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return namesOf(await find(client, `/apis/${version}`, signal), "resources", "name");
}

async function find(client: KindsDemand["client"], path: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.request({ method: "GET", path, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** `name` of each entry of a list in the answer. */
function namesOf(answer: unknown, list: string, name: string): readonly string[] {
  const entries: unknown = Reflect.get(Object(answer), list);
  const values = Array.isArray(entries) ? entries.map((entry): unknown => Reflect.get(Object(entry), name)) : [];
  return values.filter((value) => typeof value === "string");
}

function notServed(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "KindsNotServed",
    hint: `apply crds/ of release ${productVersion}, or start landscaper-core of this release with crdManagement.deployCrd`,
  });
}
