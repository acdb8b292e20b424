import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import type { HookRecord } from "../records/release-record.ts";
import { parseManifest, parseManifests } from "./release-objects.ts";

/** Manifest and hooks of a stored or rendered revision. */
export interface RevisionTexts {
  readonly manifest: string;
  readonly hooks: readonly Pick<HookRecord, "events" | "manifest" | "weight" | "delete_policies">[];
}

/** Whether two revisions have the same objects and hooks. Ignores white space, the order of objects, and the notes of the chart. */
export async function isSameContent(before: RevisionTexts, after: RevisionTexts): Promise<boolean> {
  const hasSameObjects = isDeepEqual(await objectsOf(before), await objectsOf(after));
  return hasSameObjects && isDeepEqual(await hooksOf(before), await hooksOf(after));
}

async function hooksOf({ hooks }: RevisionTexts): Promise<readonly (readonly [string, unknown])[]> {
  const described = await Promise.all(
    hooks.map(async ({ events, manifest, weight = 0, delete_policies: policies = [] }) => {
      const objects = await parseManifests([manifest]);
      return { events: [...events], weight, policies: [...policies], objects };
    }),
  );
  return sorted(described.map((hook) => [hookKey(hook), hook] as const));
}

function hookKey({
  objects,
  events,
  weight,
}: Readonly<{ objects: UnstructuredObject[]; events: string[]; weight: number }>): string {
  return JSON.stringify([objects.map(keyOf), events, weight]);
}

/** Returns the objects, sorted by key. Objects with equal keys keep their order, because the last one counts. */
async function objectsOf({ manifest }: RevisionTexts): Promise<readonly (readonly [string, UnstructuredObject])[]> {
  const objects = await parseManifest(manifest);
  return sorted(objects.map((object) => [keyOf(object), object] as const));
}

function keyOf({ apiVersion, kind, metadata: { namespace, name } }: UnstructuredObject): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
}
