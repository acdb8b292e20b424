import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { findType, type TargetCluster } from "@landscaper/resources";

/** Objects of namespaced kinds without namespace are in that of the release; kinds may come with the chart. */
export async function placeObjects(
  objects: readonly UnstructuredObject[],
  { cluster, namespace, signal }: { cluster: TargetCluster; namespace: string; signal: AbortSignal },
): Promise<UnstructuredObject[]> {
  const defined = new Set(objects.flatMap(clusterScopedKind));
  const placed: UnstructuredObject[] = [];
  const breathe = createBreather();
  for (const object of objects) {
    await breathe();
    const { apiVersion, kind, metadata } = object;
    const isPlaced = metadata.namespace !== undefined || defined.has(`${groupOf(apiVersion)}/${kind}`);
    const isNamespaced = !isPlaced && (await isNamespacedOn(cluster, object, signal));
    placed.push(isNamespaced ? { ...object, metadata: { ...metadata, namespace } } : object);
  }
  return placed;
}

/** A kind that the target does not know is taken for one with namespaces. */
async function isNamespacedOn(
  cluster: TargetCluster,
  object: UnstructuredObject,
  signal: AbortSignal,
): Promise<boolean> {
  const { apiVersion, kind, metadata } = object;
  try {
    return (await findType(cluster, { apiVersion, kind, name: metadata.name ?? "" }, signal)).namespaced;
  } catch (error) {
    if (error instanceof LandscaperError && error.reason === "TargetKindUnknown") return true;
    throw error;
  }
}

function clusterScopedKind(object: UnstructuredObject): string[] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const spec = Object(object["spec"]) as { scope?: unknown; group?: unknown; names?: { kind?: unknown } };
  return spec.scope === "Cluster" ? [`${String(spec.group)}/${String(spec.names?.kind)}`] : [];
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
}
