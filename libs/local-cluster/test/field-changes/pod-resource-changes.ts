import type { Fields } from "./combinations.ts";

const container = "spec.containers[0]";

/** Resources and resource claims of pods and containers. */
export const podResourceChanges: Readonly<Record<string, Fields>> = {
  "a request beyond its limit": {
    [`${container}.resources`]: { requests: { cpu: "2" }, limits: { cpu: "1" } },
  },
  "a limit without a request": { [`${container}.resources`]: { limits: { cpu: "1" } } },
  "an extended resource without a limit": {
    [`${container}.resources`]: { requests: { "example.com/gpu": "1" } },
  },
  "a fraction of an extended resource": { [`${container}.resources`]: { limits: { "example.com/gpu": "1.5" } } },
  "huge pages without memory": { [`${container}.resources`]: { limits: { "hugepages-2Mi": "2Mi" } } },
  "huge pages with memory": { [`${container}.resources`]: { limits: { "hugepages-2Mi": "2Mi", memory: "1Gi" } } },
  "huge pages of a fraction": {
    [`${container}.resources`]: { limits: { "hugepages-2Mi": "3Mi", memory: "1Gi" } },
  },
  "huge pages of a bad size": {
    [`${container}.resources`]: { limits: { "hugepages-2Xi": "2Mi", memory: "1Gi" } },
  },
  "resources of the pod": { "spec.resources": { requests: { cpu: "1" }, limits: { cpu: "2" } } },
  "resources of the pod below those of its containers": {
    "spec.resources": { requests: { cpu: "1" } },
    [`${container}.resources`]: { requests: { cpu: "2" } },
  },
  "storage of the pod": { "spec.resources": { requests: { "ephemeral-storage": "1Gi" } } },
  "a request beyond the limit of the pod": { "spec.resources": { requests: { cpu: "3" }, limits: { cpu: "2" } } },
  "a container limit beyond that of the pod": {
    "spec.resources": { limits: { cpu: "2" } },
    [`${container}.resources`]: { limits: { cpu: "3" } },
  },
  "a claim with two sources": {
    "spec.resourceClaims": [{ name: "a", resourceClaimName: "b", resourceClaimTemplateName: "c" }],
  },
  "a claim that no pod has": { [`${container}.resources`]: { claims: [{ name: "a" }] } },
};
