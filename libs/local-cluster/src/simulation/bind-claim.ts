import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, recordAt, stringAt } from "../objects/json.ts";

export interface Binding {
  /** The volume that is made for the claim; undefined when it is there already. */
  readonly volume: UnstructuredObject | undefined;
  readonly claim: UnstructuredObject;
}

/**
 * Binds a claim to a new volume of its own, or to the one that it names, as a storage class that provisions at once would. Undefined when the
 * claim is bound, asks for no storage class at all (`storageClassName: ""`), or names a volume that is not there.
 */
export function bindClaim(
  claim: UnstructuredObject,
  findVolume: (name: string) => UnstructuredObject | undefined,
): Binding | undefined {
  if (stringAt(claim, "status", "phase") === "Bound" || claim.metadata.deletionTimestamp !== undefined) {
    return undefined;
  }
  const named = stringAt(claim, "spec", "volumeName");
  if (named !== "") {
    const volume = findVolume(named);
    return volume === undefined ? undefined : { volume: undefined, claim: bound(claim, volume) };
  }
  if (fieldAt(claim, "spec", "storageClassName") === "") return undefined;
  const volume = makeVolume(claim);
  return { volume, claim: bound(claim, volume) };
}

export function volumeNameOf({ metadata }: UnstructuredObject): string {
  return `pvc-${metadata.uid ?? ""}`;
}

function makeVolume(claim: UnstructuredObject): UnstructuredObject {
  const { namespace, name, uid } = claim.metadata;
  const spec = recordAt(claim, "spec");
  const volumeName = volumeNameOf(claim);
  const { storageClassName, volumeMode } = spec;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName },
    spec: {
      capacity: { storage: stringAt(spec, "resources", "requests", "storage") },
      accessModes: listAt(spec, "accessModes"),
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
      persistentVolumeReclaimPolicy: "Delete",
      csi: { driver: "simulated", volumeHandle: volumeName },
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
    status: { phase: "Bound" },
  };
}

function bound(claim: UnstructuredObject, volume: UnstructuredObject): UnstructuredObject {
  const annotations = {
    ...claim.metadata.annotations,
    "pv.kubernetes.io/bind-completed": "yes",
    "pv.kubernetes.io/bound-by-controller": "yes",
  };
  const { capacity, accessModes } = recordAt(volume, "spec");
  return {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...recordAt(claim, "spec"), volumeName: volume.metadata.name },
    status: { phase: "Bound", accessModes, capacity },
  };
}
