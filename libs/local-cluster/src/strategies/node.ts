import { listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";

const key = "node.kubernetes.io/not-ready";

/** A new node is tainted until somebody finds it ready. */
export const nodeStrategy: Strategy = {
  // The older field is the first item of the newer one.
  applyDefaults: (node) => {
    const spec = recordAt(node, "spec");
    const [first = "", ...others] = listAt(spec, "podCIDRs");
    const range = stringAt(spec, "podCIDR") || first;
    return range === "" ? node : { ...node, spec: { ...spec, podCIDR: range, podCIDRs: [range, ...others] } };
  },
  prepareForCreate: (node) => {
    const spec = recordAt(node, "spec");
    const taints = listAt(spec, "taints");
    if (taints.some((taint) => stringAt(taint, "key") === key)) return node;
    return { ...node, spec: { ...spec, taints: [...taints, { key, effect: "NoSchedule" }] } };
  },
};
