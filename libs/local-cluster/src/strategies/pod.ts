import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, isRecord, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField } from "../status/field-error.ts";
import { appArmorAnnotationErrors, changedAppArmorErrors } from "../rules/security-rules.ts";

const notReady = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Pods: what admission adds on a real server, and what may change after that. Nothing runs them. */
export const podStrategy: Strategy = {
  prepareForCreate: (pod) => {
    const spec = recordAt(pod, "spec");
    return {
      ...pod,
      spec: {
        ...spec,
        preemptionPolicy: spec["preemptionPolicy"] ?? "PreemptLowerPriority",
        priority: spec["priority"] ?? 0,
        tolerations: withDefaultTolerations(spec),
      },
      status: { phase: "Pending", ...gatedConditions(spec), qosClass: qosClass(spec) },
    };
  },
  // A priority that the client does not send back stays.
  prepareForUpdate: (pod, old) => {
    const spec = recordAt(pod, "spec");
    const priority = spec["priority"] ?? recordAt(old, "spec")["priority"];
    return {
      ...pod,
      spec: { ...spec, ...(priority === undefined ? {} : { priority }), tolerations: withDefaultTolerations(spec) },
    };
  },
  validate: (pod, old) =>
    old === undefined
      ? [
          ...ephemeralErrors(recordAt(pod, "spec"), "spec"),
          ...appArmorAnnotationErrors(pod.metadata.annotations, pod["spec"]),
          ...(gatesOf(pod).length > 0 && stringAt(pod, "spec", "nodeName") !== "" ? [gatedNode] : []),
        ]
      : [
          ...validateUpdate(pod, old),
          ...validateGates(pod, old),
          ...appArmorAnnotationErrors(pod.metadata.annotations, pod["spec"]),
          ...changedAppArmorErrors(pod.metadata.annotations, old.metadata.annotations),
        ],
  // Only a pod on a node needs time to stop; a kubelet, or the test that plays one, removes it with grace period 0.
  gracePeriod: (pod, requested) => {
    if (stringAt(pod, "spec", "nodeName") === "" || isFinished(pod)) return 0;
    return requested ?? numberAt(pod, "spec", "terminationGracePeriodSeconds") ?? 30;
  },
};

/** Every pod tolerates for a while that its node is away, unless it says otherwise. */
function withDefaultTolerations(spec: unknown): readonly unknown[] {
  const tolerations = listAt(spec, "tolerations");
  const added = notReady
    .filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
    .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  return [...tolerations, ...added];
}

/** The scheduler passes a pod with gates over. */
function gatedConditions(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (listAt(spec, "schedulingGates").length === 0) return {};
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const times = { lastProbeTime: null, lastTransitionTime: null };
  return { conditions: [{ type: "PodScheduled", status: "False", ...times, reason: "SchedulingGated", message }] };
}

function gatesOf(pod: UnstructuredObject): readonly string[] {
  return listAt(recordAt(pod, "spec"), "schedulingGates").map((gate) => stringAt(gate, "name"));
}

const gatedNode = forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared");

/** Gates can only be taken away. */
function validateGates(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const before = gatesOf(old);
  const gates = gatesOf(pod);
  return gates.flatMap((name, i) =>
    before.includes(name) || gates.lastIndexOf(name) !== i
      ? []
      : [
          forbiddenField(
            `spec.schedulingGates[${i}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** A deadline only gets earlier. */
function validateDeadline(spec: unknown, before: unknown): FieldError[] {
  const [now, then] = [numberAt(spec, "activeDeadlineSeconds"), numberAt(before, "activeDeadlineSeconds")];
  if (then === undefined || (now !== undefined && now <= then)) return [];
  return [invalidField("spec.activeDeadlineSeconds", now ?? null, "must be less than or equal to previous value")];
}

/** A pod with gates may get a stricter node selector, and a node affinity if it has none. */
function gatedErrors(spec: unknown, before: unknown): FieldError[] {
  const [now, then] = [recordAt(spec, "nodeSelector"), recordAt(before, "nodeSelector")];
  const isStricter = Object.entries(then).every(([key, value]) => now[key] === value);
  return isStricter
    ? []
    : [invalidField("spec.nodeSelector", now, "only additions are allowed (no mutations or deletions)")];
}

function tolerates(toleration: unknown, key: string): boolean {
  const own = stringAt(toleration, "key");
  const effect = stringAt(toleration, "effect");
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}

function isFinished(pod: UnstructuredObject): boolean {
  return ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase"));
}

function qosClass(spec: Readonly<Record<string, unknown>>): string {
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  const resources = containers.map((container) => ({
    limits: recordAt(container, "resources", "limits"),
    requests: recordAt(container, "resources", "requests"),
  }));
  const isEmpty = resources.every(
    ({ limits, requests }) => Object.keys(limits).length === 0 && Object.keys(requests).length === 0,
  );
  if (isEmpty) return "BestEffort";
  const isGuaranteed = resources.every(({ limits, requests }) =>
    ["cpu", "memory"].every((name) => limits[name] !== undefined && limits[name] === requests[name]),
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

const mutable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Fields of containers that an update may not change; a list of another length is refused as a whole. */
const containerLists = ["containers", "initContainers"];

function validateUpdate(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [recordAt(pod, "spec"), recordAt(old, "spec")];
  const resized = containerLists.find((list) => listAt(spec, list).length !== listAt(before, list).length);
  if (resized !== undefined) {
    return [forbiddenField(`spec.${resized}`, "pod updates may not add or remove containers")];
  }
  const isGated = gatesOf(old).length > 0;
  const errors = [
    ...validateTolerations(spec, before),
    ...validateDeadline(spec, before),
    ...(isGated ? gatedErrors(spec, before) : []),
  ];
  // The real server prints the difference after the sentence; here it ends with the sentence.
  const isSame = equalJson(fixedPart(pod, isGated), fixedPart(old, isGated));
  return [...errors, ...(isSame ? [] : [forbiddenField("spec", mutable)])];
}

/** Tolerations stay, but for the seconds that they last; others may be added. */
function validateTolerations(spec: unknown, before: unknown): FieldError[] {
  const withoutSeconds = (toleration: unknown): unknown => {
    const { tolerationSeconds: _seconds, ...rest } = recordAt({ toleration }, "toleration");
    return rest;
  };
  const now = listAt(spec, "tolerations").map(withoutSeconds);
  const isKept = listAt(before, "tolerations").every((old) =>
    now.some((other) => equalJson(other, withoutSeconds(old))),
  );
  return isKept
    ? []
    : [forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

/** Only their own subresource adds ephemeral containers. */
export function ephemeralErrors(spec: unknown, at: string): FieldError[] {
  if (listAt(spec, "ephemeralContainers").length === 0) return [];
  return [forbiddenField(`${at}.ephemeralContainers`, "cannot be set on create")];
}

function fixedPart(pod: UnstructuredObject, isGated: boolean): unknown {
  const { nodeSelector, affinity, ...others } = recordAt(pod, "spec");
  const { nodeAffinity: _n, ...affinities } = recordAt({ affinity }, "affinity");
  const spec: Readonly<Record<string, unknown>> = isGated
    ? { ...others, affinity: affinities }
    : { ...others, nodeSelector, affinity };
  const { activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _s, ...rest } = spec;
  return {
    ...rest,
    containers: withoutImages(spec, "containers"),
    initContainers: withoutImages(spec, "initContainers"),
  };
}

function withoutImages(spec: Readonly<Record<string, unknown>>, field: string): unknown {
  return listAt(fieldAt({ spec }, "spec"), field).map((container) => {
    const { image: _image, ...rest } = isRecord(container) ? container : {};
    return rest;
  });
}
