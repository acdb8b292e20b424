import type { UnstructuredObject } from "@landscaper/api";
import { createBreather, ownTurn } from "@landscaper/controller-runtime";
import { fromYamlInTurns, YamlError } from "@landscaper/goyaml";
import { splitKeepingSpace } from "@landscaper/helm";
import {
  findType,
  isJsonObject,
  locateTypeOrNone,
  referenceTo,
  type PlacedObject,
  type TargetCluster,
  type UnstructuredType,
} from "@landscaper/resources";
import { releaseError } from "../release-error.ts";
import { inTemplate } from "./refused-object.ts";

/** An object of a release and where its kind lives. */
export interface ReleaseObject {
  readonly object: UnstructuredObject;
  readonly type: UnstructuredType;
  /** Template that the object comes from, such as `chart/templates/a.yaml`. Undefined for objects of earlier revisions. */
  readonly path?: string | undefined;
}

/** In one document; the largest CRDs have a fifth of it. */
const maxValues = 200_000;

/**
 * The objects of a record's manifest, in its order; Lists are their items. Others get turns, however large it is. Throws LandscaperError for a document
 * that is no object.
 */
export async function parseManifest(manifest: string): Promise<UnstructuredObject[]> {
  return (await parsePlacedManifest(manifest)).map(({ object }) => object);
}

/** Like `parseManifest`, with the template of each object. */
export async function parsePlacedManifest(manifest: string): Promise<PlacedObject[]> {
  // Many small ones may follow each other.
  await ownTurn();
  const breathe = createBreather();
  const objects: PlacedObject[][] = [];
  // White space must stay, because it can be the end of a block scalar.
  for (const document of splitKeepingSpace(manifest)) {
    const path = sourceOf(document);
    objects.push(expand(await parseDocument(document, breathe), document).map((object) => ({ path, object })));
    await breathe();
  }
  return objects.flat();
}

/** Of several texts, one after the other. */
export async function parseManifests(manifests: readonly string[]): Promise<UnstructuredObject[]> {
  const objects: UnstructuredObject[][] = [];
  for (const manifest of manifests) objects.push(await parseManifest(manifest));
  return objects.flat();
}

async function parseDocument(document: string, breathe: () => Promise<void>): Promise<unknown> {
  try {
    return await fromYamlInTurns(document, { breathe, maxValues, integers: "exact" });
  } catch (error) {
    const problem = error instanceof YamlError ? error.explanation : "expected YAML, found other text";
    throw releaseError("InvalidRelease", `${sourceOf(document)}: ${problem}`);
  }
}

function expand(value: unknown, document: string): UnstructuredObject[] {
  if (value === null || value === undefined) return [];
  if (!isJsonObject(value)) throw releaseError("InvalidRelease", `${sourceOf(document)}: expected an object`);
  const { items, kind, metadata } = value;
  if (Array.isArray(items) && typeof kind === "string" && kind.endsWith("List")) {
    return items.flatMap((item) => expand(item, document));
  }
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  if (typeof value["apiVersion"] !== "string" || typeof kind !== "string" || typeof name !== "string") {
    throw releaseError(
      "InvalidRelease",
      `${sourceOf(document)}: expected an object with apiVersion, kind and metadata.name`,
    );
  }
  return [dropNullMetadata(value as UnstructuredObject)];
}

/** Templates leave empty keys behind (`namespace:`); to the API server null means absent. */
function dropNullMetadata(object: UnstructuredObject): UnstructuredObject {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([, value]) => value !== null && value !== ""),
  );
  return { ...object, metadata };
}

/** The template that a document is from, or its first line. */
function sourceOf(document: string): string {
  return /^# Source: (.+)$/m.exec(document)?.[1] ?? `manifest "${document.slice(0, 60).split("\n")[0] ?? ""}"`;
}

interface LocateOptions {
  readonly namespace: string;
  readonly anyVersion?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Where the objects live: those of namespaced kinds without namespace are in the namespace of the release. With `anyVersion`, uses
 * another served version of a kind where necessary, and leaves out objects of kinds without a served version.
 */
export async function locateObjects(
  cluster: TargetCluster,
  objects: readonly UnstructuredObject[],
  options: LocateOptions,
): Promise<ReleaseObject[]> {
  return await locatePlaced(
    cluster,
    objects.map((object) => ({ object })),
    options,
  );
}

/** Like `locateObjects`, but keeps the template of each object, and names it in errors. */
export async function locatePlaced(
  cluster: TargetCluster,
  objects: readonly (Pick<PlacedObject, "object"> & Partial<PlacedObject>)[],
  options: LocateOptions,
): Promise<ReleaseObject[]> {
  const located: ReleaseObject[] = [];
  const typeOf = options.anyVersion === true ? locateTypeOrNone : findType;
  const breathe = createBreather();
  for (const { object, path } of objects) {
    await breathe();
    const type = await typeOf(cluster, referenceTo(object), options.signal).catch((error: unknown) => {
      throw inTemplate(error, path);
    });
    if (type === undefined) continue;
    const { namespace: own, ...rest } = object.metadata;
    const namespace = type.namespaced ? { namespace: own ?? options.namespace } : {};
    located.push({ type, path, object: { ...object, metadata: { ...rest, ...namespace } } });
  }
  return located;
}
