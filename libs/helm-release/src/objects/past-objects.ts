import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { referenceTo, resourceFailure, resourceId, type TargetCluster } from "@landscaper/resources";
import type { RevisionsAtWork } from "../records/decide-release.ts";
import { isMarked, managedSelector, type ReleaseName } from "./ownership.ts";
import { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord } from "../records/release-record.ts";

/** An object that earlier revisions may have left on the cluster, in the form of the one that was deployed, else of the newest. */
export interface PastObject extends ReleaseObject {
  /** It has been deployed, so it is the release's, whatever its marks say. Else only its marks tell: its revision may have failed before it. */
  readonly isDeployed: boolean;
  /** Other forms that failed revisions may have given it since. */
  readonly otherForms: readonly UnstructuredObject[];
}

interface PastOptions {
  readonly release: ReleaseName;
  /** Of the new revision: an unreadable one may have had objects of these kinds. */
  readonly objects: readonly ReleaseObject[];
  readonly signal: AbortSignal;
}

/** What may be on the cluster, by `resourceId`. Kinds that the cluster does not know (any more) are left out. */
export async function locatePast(
  cluster: TargetCluster,
  { former, isDeployed, others, isUnclear }: RevisionsAtWork,
  { release, objects, signal }: PastOptions,
): Promise<ReadonlyMap<string, PastObject>> {
  const past = new Map<string, PastObject>();
  const add = (item: ReleaseObject, isOfDeployed: boolean): void => {
    const id = resourceId(referenceTo(item.object));
    const known = past.get(id);
    const fresh = { ...item, isDeployed: isOfDeployed, otherForms: [] };
    past.set(id, known === undefined ? fresh : withForm(known, item.object));
  };
  const locate = async ({ manifest }: ReleaseRecord): Promise<ReleaseObject[]> =>
    locateObjects(cluster, await parseManifest(manifest), { namespace: release.namespace, anyVersion: true, signal });
  if (former !== undefined) for (const item of await locate(former)) add(item, isDeployed);
  for (const record of others) for (const item of await locate(record)) add(item, false);
  if (!isUnclear) return past;
  const known = [...past.values(), ...objects];
  for (const item of await listMarked(known, { cluster, release, signal })) {
    if (!past.has(resourceId(referenceTo(item.object)))) add(item, false);
  }
  return past;
}

function withForm(known: PastObject, form: UnstructuredObject): PastObject {
  const isKnown = [known.object, ...known.otherForms].some((each) => isDeepEqual(each, form));
  return isKnown ? known : { ...known, otherForms: [...known.otherForms, form] };
}

/** Objects that bear the marks of the release, of the kinds and in the namespaces of the given ones; none that a controller has made of others. */
async function listMarked(
  objects: readonly ReleaseObject[],
  { cluster, release, signal }: Pick<PastOptions, "release" | "signal"> & { readonly cluster: TargetCluster },
): Promise<ReleaseObject[]> {
  const places = new Map(
    objects.map(({ type, object }) => {
      const { apiVersion, kind, metadata } = object;
      return [
        JSON.stringify([apiVersion, kind, metadata.namespace ?? ""]),
        { type, apiVersion, kind, namespace: metadata.namespace },
      ];
    }),
  );
  const found: ReleaseObject[] = [];
  for (const { type, apiVersion, kind, namespace } of places.values()) {
    try {
      const { items } = await cluster.client.list(type, {
        namespace,
        labelSelector: managedSelector,
        metadataOnly: true,
        signal,
      });
      const own = items.filter((live) => live.metadata.ownerReferences === undefined && isMarked(live, release));
      found.push(
        ...own.map(({ metadata }) => ({ type, object: { apiVersion, kind, metadata: identityOf(metadata) } })),
      );
    } catch (error) {
      throw await resourceFailure(error, { verb: "list", reference: { apiVersion, kind, name: "", namespace } });
    }
  }
  return found;
}

function identityOf({ name, namespace }: UnstructuredObject["metadata"]): UnstructuredObject["metadata"] {
  return { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
}
