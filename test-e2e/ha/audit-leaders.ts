// Who may write when. Pure. Resource versions are one order over all kinds of a cluster's store, so that no clock is needed.
import type { Lease } from "@landscaper/api";

/** A write of a replica that the API server has carried out. */
export interface AcceptedWrite {
  readonly pod: string;
  readonly method: string;
  readonly path: string;
  /** Plural of the kind. */
  readonly resource: string;
  /** Uid and resourceVersion of what came out; without a version where something was deleted. */
  readonly uid: string;
  readonly version: number | undefined;
  /** performance.now() of the answer. */
  readonly atMs: number;
}

/** The Lease is how replicas come to lead; Kubernetes events only tell; CRDs are looked after, and rights asked for, by each that starts. */
const unjudged = new Set(["leases", "events", "customresourcedefinitions", "selfsubjectrulesreviews"]);
/** What only the controllers of the group "central" write. */
const central = new Set(["contexts", "targetsyncs"]);
/** They also patch the finalizers of these kinds. */
const protectedKinds = new Set(["rolebindings", "targets"]);

type Group = "central" | "main";

/** The groups that a write can be of: both patch Secrets, the one its finalizers, the other the state of templates. */
function groupsOf({ method, resource }: AcceptedWrite): readonly Group[] {
  if (method === "PATCH" && resource === "secrets") return ["central", "main"];
  return central.has(resource) || (method === "PATCH" && protectedKinds.has(resource)) ? ["central"] : ["main"];
}

/** Whether a write is work that leaders do. */
export function isWork({ resource }: AcceptedWrite): boolean {
  return !unjudged.has(resource);
}

interface Answer {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

/** The write in the answer to a request of this pod; undefined when it is none or was refused. */
export function readWrite(
  pod: string,
  { method, path, status, body }: Answer,
  atMs: number,
): AcceptedWrite | undefined {
  if (method === "GET" || status >= 300) return undefined;
  const bare = path.split("?")[0] ?? path;
  const resource = /^\/apis?(?:\/[^/]+){1,2}?(?:\/namespaces\/[^/]+)?\/([a-z]+)(?:\/|$)/.exec(bare)?.[1] ?? "";
  // Our own API server's answer to our own client.
  const { metadata } = JSON.parse(body) as { metadata?: { uid?: string; resourceVersion?: string } };
  const version = method === "DELETE" ? undefined : Number(metadata?.resourceVersion);
  return { pod, method, path: bare, resource, uid: metadata?.uid ?? "", version, atMs };
}

/** Who held a Lease at a version of the store; `leases` are its versions, oldest first. */
function holderAt(leases: readonly Lease[], version: number): string {
  const last = leases.findLast(({ metadata }) => Number(metadata.resourceVersion) <= version);
  return last?.spec?.holderIdentity ?? "";
}

/**
 * Writes of replicas that did not hold the Lease of the group at that moment: those of a leader that another one has followed, or
 * of one that never was. `writes` are all of all replicas, `leases` all versions of all Leases.
 */
export function findForeignWrites(writes: readonly AcceptedWrite[], leases: readonly Lease[]): string[] {
  const versionsOf = (group: string): Lease[] =>
    leases.filter(({ metadata }) => metadata.name === `landscaper-core-${group}`);
  const groups = { main: versionsOf("main"), central: versionsOf("central") };
  const known = new Set<string>();
  const foreign: string[] = [];
  let latest = 0;
  for (const write of writes.toSorted((a, b) => a.atMs - b.atMs)) {
    // A deletion has no version of its own: it comes after all that was answered before it.
    const version = write.version ?? latest;
    latest = Math.max(latest, version);
    // A write that changes nothing is answered with the version that is there.
    const result = `${write.uid} ${write.version}`;
    const isNew = write.version === undefined || !known.has(result);
    known.add(result);
    if (!isNew || !isWork(write)) continue;
    const leaders = groupsOf(write).map((group) => ({ group, holder: holderAt(groups[group], version) }));
    if (leaders.some(({ holder }) => holder === write.pod)) continue;
    const led = leaders.map(({ group, holder }) => `"${holder}" led ${group}`).join(" and ");
    foreign.push(`${write.pod} wrote ${write.method} ${write.path} while ${led}`);
  }
  return foreign;
}
