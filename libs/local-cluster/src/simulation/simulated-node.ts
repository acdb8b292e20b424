import { kubernetesVersion } from "../discovery/kubernetes-version.ts";
import type { UnstructuredObject } from "@landscaper/api";
import { builtin, overwrite, systemTarget } from "../controllers/system-writes.ts";
import { createObject } from "../rest/create-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { formatTime, systemWrite } from "../rest/rest-context.ts";
import { simulatedNode } from "./simulation-options.ts";

const resources = { cpu: "64", memory: "256Gi", pods: "1000", "ephemeral-storage": "1Ti" };

export const nodeLabels: Readonly<Record<string, string>> = {
  "kubernetes.io/arch": "amd64",
  "kubernetes.io/hostname": simulatedNode.name,
  "kubernetes.io/os": "linux",
};

/** Makes the node that all pods run on, ready and without taints. */
export function createSimulatedNode(context: RestContext): void {
  const definition = builtin(context, "v1", "nodes");
  const { name } = simulatedNode;
  const body: UnstructuredObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { ...nodeLabels } },
  };
  createObject(context, systemTarget(definition, { name: "" }), { body, options: systemWrite });
  const current = context.store.collection(definition.storage).get("", name);
  if (current === undefined) return;
  const object = { ...current.object, spec: {}, status: nodeStatus(formatTime(context.now())) };
  overwrite(context, definition, { current, object, subresource: "status", manager: "kubelet" });
}

function nodeStatus(now: string): Readonly<Record<string, unknown>> {
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  const pressure = (type: string, word: string) => ({
    type,
    status: "False",
    reason: `KubeletHas${word}`,
    message: `kubelet has ${word.replace(/^(?:Sufficient|No)/, (start) => `${start.toLowerCase()} `)}`,
    ...times,
  });
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      pressure("MemoryPressure", "SufficientMemory"),
      pressure("DiskPressure", "NoDiskPressure"),
      pressure("PIDPressure", "SufficientPID"),
      { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status", ...times },
    ],
    addresses: [
      { type: "InternalIP", address: simulatedNode.address },
      { type: "Hostname", address: simulatedNode.name },
    ],
    nodeInfo: {
      architecture: "amd64",
      operatingSystem: "linux",
      kubeletVersion: kubernetesVersion,
      osImage: "simulated",
      containerRuntimeVersion: "simulated://1",
      kernelVersion: "",
      kubeProxyVersion: "",
      machineID: "",
      systemUUID: "",
      bootID: "",
    },
  };
}
