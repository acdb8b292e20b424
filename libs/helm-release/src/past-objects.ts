import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { referenceTo, resourceId, type TargetCluster } from "@landscaper/resources";
import type { RevisionsAtWork } from "./decide-release.ts";
import { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
import type { ReleaseRecord } from "./release-record.ts";

/** An object that earlier revisions may have left on the cluster, in the form of the one that was deployed, else of the newest. */
export interface PastObject extends ReleaseObject {
  /** It has been deployed, so it is the release's, whatever its marks say. Else only its marks tell: its revision may have failed before it. */
  readonly isDeployed: boolean;
  /** Other forms that failed revisions may have given it since. */
  readonly otherForms: readonly UnstructuredObject[];
}

/** What may be on the cluster, by `resourceId`. Kinds that the cluster does not know (any more) are left out. */
export async function locatePast(
  cluster: TargetCluster,
  { former, isDeployed, others }: RevisionsAtWork,
  options: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, PastObject>> {
  const past = new Map<string, PastObject>();
  const add = async (record: ReleaseRecord, isOfDeployed: boolean): Promise<void> => {
    const found = await locateObjects(cluster, parseManifest(record.manifest), { ...options, skipUnknown: true });
    for (const item of found) {
      const id = resourceId(referenceTo(item.object));
      const known = past.get(id);
      past.set(
        id,
        known === undefined ? { ...item, isDeployed: isOfDeployed, otherForms: [] } : withForm(known, item.object),
      );
    }
  };
  if (former !== undefined) await add(former, isDeployed);
  for (const record of others) await add(record, false);
  return past;
}

function withForm(known: PastObject, form: UnstructuredObject): PastObject {
  const isKnown = [known.object, ...known.otherForms].some((each) => isDeepEqual(each, form));
  return isKnown ? known : { ...known, otherForms: [...known.otherForms, form] };
}
