import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { DefaultsTable } from "./default-function.ts";
import { fill, fillUnset } from "./default-function.ts";

/** Models pkg/apis/core/v1/defaults.go for everything that is no part of a pod. */
export const coreDefaults: DefaultsTable = {
  EndpointPort: fill({ protocol: "TCP" }),
  LimitRangeItem: completeLimits,
  Namespace: (namespace) => {
    const metadata = recordAt(namespace, "metadata");
    const name = stringAt(metadata, "name");
    if (name === "") return;
    metadata["labels"] = { ...recordAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
    fill({ phase: "Active" })(recordAt(namespace, "status"));
  },
  NodeStatus: (status) => {
    if (status["capacity"] !== undefined) fill({ allocatable: status["capacity"] })(status);
  },
  PersistentVolume: (volume) => fill({ phase: "Pending" })(recordAt(volume, "status")),
  PersistentVolumeSpec: fill({ persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" }),
  PersistentVolumeClaim: (claim) => fill({ phase: "Pending" })(recordAt(claim, "status")),
  PersistentVolumeClaimSpec: fill({ volumeMode: "Filesystem" }),
  ReplicationController: (controller) => {
    const spec = recordAt(controller, "spec");
    const labels = recordAt(spec, "template", "metadata", "labels");
    fill({ replicas: 1, selector: labels })(spec);
    if (Object.keys(labels).length > 0) fill({ labels })(recordAt(controller, "metadata"));
  },
  Secret: fill({ type: "Opaque" }),
  Service: completeService,
};

function completeAffinity(spec: Record<string, unknown>): void {
  const clientIP = { timeoutSeconds: 10_800, ...recordAt(spec, "sessionAffinityConfig", "clientIP") };
  spec["sessionAffinityConfig"] = { clientIP };
}

function completeLimits(item: Record<string, unknown>): void {
  if (item["type"] !== "Container") return;
  const limits = { ...recordAt(item, "max"), ...recordAt(item, "default") };
  const requests = { ...recordAt(item, "min"), ...limits, ...recordAt(item, "defaultRequest") };
  if (Object.keys(limits).length > 0) item["default"] = limits;
  if (Object.keys(requests).length > 0) item["defaultRequest"] = requests;
}

function completeService(service: Record<string, unknown>): void {
  const spec = recordAt(service, "spec");
  fill({ sessionAffinity: "None", type: "ClusterIP" })(spec);
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  else completeAffinity(spec);
  for (const port of listAt(spec, "ports")) {
    if (!isRecord(port)) continue;
    fill({ protocol: "TCP" })(port);
    if (port["targetPort"] === 0 || port["targetPort"] === "") port["targetPort"] = port["port"];
  }
  const type = stringAt(spec, "type");
  const isExternal = type === "NodePort" || type === "LoadBalancer";
  if (isExternal || (type === "ClusterIP" && listAt(spec, "externalIPs").length > 0)) {
    fill({ externalTrafficPolicy: "Cluster" })(spec);
  }
  if (isExternal || type === "ClusterIP") fillUnset({ internalTrafficPolicy: "Cluster" })(spec);
  if (type !== "LoadBalancer") return;
  fill({ allocateLoadBalancerNodePorts: true })(spec);
  for (const ingress of listAt(service, "status", "loadBalancer", "ingress")) {
    if (isRecord(ingress) && stringAt(ingress, "ip") !== "") fill({ ipMode: "VIP" })(ingress);
  }
}
