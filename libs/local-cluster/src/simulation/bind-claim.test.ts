import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { bindClaim } from "./bind-claim.ts";

function claim(spec: object, status: object = { phase: "Pending" }): UnstructuredObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "n", uid: "u" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    status,
  };
}

const none = () => undefined;
const bound = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };

describe("bindClaim", () => {
  it("makes a volume of the size that is asked for", () => {
    const binding = bindClaim(claim({ storageClassName: "fast" }), none);
    expect(binding?.volume).toMatchObject({
      metadata: { name: "pvc-u" },
      spec: {
        capacity: { storage: "1Gi" },
        claimRef: { namespace: "n", name: "data", uid: "u" },
        storageClassName: "fast",
        persistentVolumeReclaimPolicy: "Delete",
      },
    });
    expect(binding?.claim).toMatchObject({
      metadata: { annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
      spec: { volumeName: "pvc-u" },
      status: bound,
    });
  });

  it("takes the volume that the claim names, once it is there", () => {
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "mine" },
      spec: { capacity: { storage: "5Gi" }, accessModes: ["ReadWriteMany"] },
    };
    const named = claim({ volumeName: "mine", storageClassName: "" });
    expect(bindClaim(named, none)).toBeUndefined();
    expect(bindClaim(named, () => volume)).toMatchObject({
      volume: undefined,
      claim: { status: { phase: "Bound", capacity: { storage: "5Gi" }, accessModes: ["ReadWriteMany"] } },
    });
  });

  it("leaves claims alone that want no class, are bound, or go", () => {
    const going = claim({});
    const marked = { ...going, metadata: { ...going.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    const left = [claim({ storageClassName: "" }), claim({}, bound), marked];
    expect(left.map((one) => bindClaim(one, none))).toEqual([undefined, undefined, undefined]);
  });
});
