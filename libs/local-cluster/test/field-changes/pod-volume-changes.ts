import type { Fields } from "./combinations.ts";

const container = "spec.containers[0]";

/** Volumes, mounts and devices of pods. */
export const podVolumeChanges: Readonly<Record<string, Fields>> = {
  "a volume with two sources": { "spec.volumes": [{ name: "v", emptyDir: {}, hostPath: { path: "/a" } }] },
  "a mount and a device of one volume": {
    "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a" }],
    [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/a" }],
  },
  "a device of a folder": {
    "spec.volumes": [{ name: "v", emptyDir: {} }],
    [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/a" }],
  },
  "a device twice": {
    "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    [`${container}.volumeDevices`]: [
      { name: "v", devicePath: "/dev/a" },
      { name: "v", devicePath: "/dev/a" },
    ],
  },
  "a device path with dots": {
    "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/../a" }],
  },
  "a recursive read-only mount that is writable": {
    "spec.volumes": [{ name: "v", emptyDir: {} }],
    [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", recursiveReadOnly: "Enabled" }],
  },
  "a recursive read-only mount": {
    "spec.volumes": [{ name: "v", emptyDir: {} }],
    [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", readOnly: true, recursiveReadOnly: "Enabled" }],
  },
  "a recursive read-only mount with propagation": {
    "spec.volumes": [{ name: "v", emptyDir: {} }],
    [`${container}.volumeMounts`]: [
      {
        name: "v",
        mountPath: "/a",
        readOnly: true,
        recursiveReadOnly: "IfPossible",
        mountPropagation: "HostToContainer",
      },
    ],
  },
  "a propagated mount of an unprivileged container": {
    "spec.volumes": [{ name: "v", emptyDir: {} }],
    [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/a", mountPropagation: "Bidirectional" }],
  },
  "a projected path twice": {
    "spec.volumes": [
      {
        name: "v",
        projected: {
          sources: ["a", "b"].map((name) => ({ configMap: { name, items: [{ key: "k", path: "same" }] } })),
        },
      },
    ],
  },
  "two sources in one projection": {
    "spec.volumes": [{ name: "v", projected: { sources: [{ configMap: { name: "a" }, secret: { name: "b" } }] } }],
  },
  "huge pages of a volume without a limit": {
    "spec.volumes": [{ name: "v", emptyDir: { medium: "HugePages" } }],
  },
  "an ephemeral claim": {
    "spec.volumes": [
      {
        name: "v",
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        },
      },
    ],
  },
  "an ephemeral claim without a size": {
    "spec.volumes": [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"] } } } }],
  },
  "an image volume": {
    "spec.volumes": [{ name: "v", image: { reference: "image:1", pullPolicy: "Always" } }],
  },
};
