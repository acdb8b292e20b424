import type { UnstructuredObject } from "@landscaper/api";
import type { ObjectTexts } from "@landscaper/helm";
import { parseManifest, parseManifests, placeObjects, type RevisionTexts } from "@landscaper/helm-release";
import { isJsonObject, referenceTo, type ResourceReference, type TargetCluster } from "@landscaper/resources";

/** An object of a rendering. */
interface ContentObject {
  readonly resource: ResourceReference;
  readonly isHook: boolean;
  readonly object: UnstructuredObject;
}

/** Objects and hooks of a rendering. */
export interface RenderedContent {
  readonly objects: ReadonlyMap<string, ContentObject>;
  /** Equal for objects that differ only in white space, comments, or the order of their fields. */
  readonly texts: ObjectTexts;
  /** Identifiers in the order of the rendering. */
  readonly order: readonly string[];
}

interface Place {
  readonly cluster: TargetCluster;
  /** Of the release. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Parses what a chart renders to. Throws LandscaperError for a document that is not an object. */
export async function readContent(revision: RevisionTexts, place: Place): Promise<RenderedContent> {
  const objects = new Map<string, ContentObject>();
  const texts = new Map<string, string>();
  const order: string[] = [];
  const add = (object: UnstructuredObject, hook: object | undefined): void => {
    const resource = referenceTo(object);
    const { apiVersion, kind, namespace = "", name } = resource;
    const id = JSON.stringify([hook === undefined ? "object" : "hook", apiVersion, kind, namespace, name]);
    order.push(id);
    objects.set(id, { resource, isHook: hook !== undefined, object });
    // Of two objects with one identifier, both count.
    texts.set(id, `${texts.get(id) ?? ""}${canonicalText([object, hook])}`);
  };
  for (const object of await placeObjects(await parseManifest(revision.manifest), place)) add(object, undefined);
  for (const { events, manifest, weight = 0, delete_policies: policies = [] } of revision.hooks) {
    const hook = { events: [...events], weight, policies: [...policies] };
    for (const object of await placeObjects(await parseManifests([manifest]), place)) add(object, hook);
  }
  return { objects, texts, order };
}

/** Returns equal texts for equal values. The order of fields does not count. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === "bigint") return `${member}n`;
    if (!isJsonObject(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
  });
}

const workloads: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** Whether an update from one object to the other restarts pods: their template changes, and the controller replaces them. Pure. */
export function restartsPods(before: UnstructuredObject, after: UnstructuredObject): boolean {
  if (!workloads.has(after.kind) || !after.apiVersion.startsWith("apps/")) return false;
  const [former, next] = [specOf(before), specOf(after)];
  const strategy = next["updateStrategy"];
  if (isJsonObject(strategy) && strategy["type"] === "OnDelete") return false;
  return canonicalText(former["template"] ?? null) !== canonicalText(next["template"] ?? null);
}

function specOf(object: UnstructuredObject): Readonly<Record<string, unknown>> {
  const spec: unknown = object["spec"];
  return isJsonObject(spec) ? spec : {};
}
