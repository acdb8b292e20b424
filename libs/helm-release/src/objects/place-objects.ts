import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { crdTypes, findType, referenceTo, type TargetCluster } from "@landscaper/resources";

export interface PlaceOptions {
  readonly cluster: TargetCluster;
  /** Of the release. */
  readonly namespace: string;
  /** CRDs that the cluster does not have yet. */
  readonly definitions?: readonly UnstructuredObject[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Objects as `locateObjects` puts them into namespaces, where nothing is written: what is of a kind that the cluster does not know (yet) stays as
 * it is.
 */
export async function placeObjects(
  objects: readonly UnstructuredObject[],
  { cluster, namespace: ofRelease, definitions = [], signal }: PlaceOptions,
): Promise<UnstructuredObject[]> {
  const defined = crdTypes(definitions);
  const placed: UnstructuredObject[] = [];
  const breathe = createBreather();
  for (const object of objects) {
    await breathe();
    const { namespace = ofRelease, ...metadata } = object.metadata;
    const isNamespaced = (await isOfNamespace(cluster, object, signal)) ?? defined.typeOf(object)?.namespaced;
    const place = isNamespaced === false ? {} : { namespace };
    placed.push(isNamespaced === undefined ? object : { ...object, metadata: { ...metadata, ...place } });
  }
  return placed;
}

async function isOfNamespace(
  cluster: TargetCluster,
  object: UnstructuredObject,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    return (await findType(cluster, referenceTo(object), signal)).namespaced;
  } catch (error) {
    if (error instanceof LandscaperError && error.reason === "TargetKindUnknown") return undefined;
    throw error;
  }
}
