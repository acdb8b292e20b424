import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";

type Spec = Readonly<Record<string, unknown>>;

export function needsClusterIP(spec: Spec): boolean {
  return stringAt(spec, "type") !== "ExternalName";
}

/** Whether the type allows node ports, automatic or explicit ones. */
export function hasNodePorts(spec: Spec): boolean {
  return ["NodePort", "LoadBalancer"].includes(stringAt(spec, "type"));
}

/** Whether ports without a node port get one. */
export function needsNodePort(spec: Spec): boolean {
  const type = stringAt(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
}

export function needsHealthCheckPort(spec: Spec): boolean {
  return stringAt(spec, "type") === "LoadBalancer" && stringAt(spec, "externalTrafficPolicy") === "Local";
}

export function needsExternalPolicy(spec: Spec): boolean {
  const type = stringAt(spec, "type");
  return (
    ["NodePort", "LoadBalancer"].includes(type) || (type === "ClusterIP" && listAt(spec, "externalIPs").length > 0)
  );
}

const isBalancer = (spec: Spec): boolean => stringAt(spec, "type") === "LoadBalancer";

/** Fields that only some types have. A change to another type drops them if the client has left them unchanged. */
const fieldsByType: readonly (readonly [fields: readonly string[], isUsed: (spec: Spec) => boolean])[] = [
  [["clusterIP", "clusterIPs"], needsClusterIP],
  [["ipFamilies"], needsClusterIP],
  [["ipFamilyPolicy"], needsClusterIP],
  [["internalTrafficPolicy"], needsClusterIP],
  [["healthCheckNodePort"], needsHealthCheckPort],
  [["allocateLoadBalancerNodePorts"], isBalancer],
  [["loadBalancerClass"], isBalancer],
  [["externalTrafficPolicy"], needsExternalPolicy],
];

/** Sets `clusterIPs` from `clusterIP` if a client changed only the latter. */
export function withChangedAddress(spec: Spec, before: Spec): Spec {
  const [clusterIP, old] = [spec["clusterIP"], before["clusterIP"]];
  if ((clusterIP ?? "") === "" || clusterIP === old) return spec;
  return equalJson(spec["clusterIPs"], before["clusterIPs"]) ? { ...spec, clusterIPs: [clusterIP] } : spec;
}

/** Keeps allocated values that the client does not send back. */
export function keepAllocated(spec: Spec, before: Spec): Spec {
  const kept: Record<string, unknown> = { ...spec };
  const take = (field: string): void => {
    if ((kept[field] ?? "") === "" && before[field] !== undefined) kept[field] = before[field];
  };
  if (needsClusterIP(spec) && needsClusterIP(before)) {
    take("clusterIP");
    if (kept["clusterIP"] === before["clusterIP"]) take("clusterIPs");
    kept["ipFamilies"] ??= before["ipFamilies"];
    kept["ipFamilyPolicy"] ??= before["ipFamilyPolicy"];
  }
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before)) take("healthCheckNodePort");
  return needsNodePort(spec) && needsNodePort(before) ? { ...kept, ports: keepNodePorts(spec, before) } : kept;
}

/** Keeps node ports by the names of the ports. A port never gets the number that another one asks for. */
function keepNodePorts(spec: Spec, before: Spec): readonly unknown[] {
  const asked = nodePortsOf(spec);
  const known = new Map(listAt(before, "ports").map((port) => [stringAt(port, "name"), recordAt({ port }, "port")]));
  return listAt(spec, "ports").map((port) => {
    if (!isRecord(port) || nodePortOf(port) !== 0) return port;
    const nodePort = nodePortOf(known.get(stringAt(port, "name")));
    return nodePort === 0 || asked.has(nodePort) ? port : { ...port, nodePort };
  });
}

/** Drops fields that the new type does not use, if the client left them unchanged. */
export function dropUnused(spec: Spec, before: Spec): Spec {
  const unused = fieldsByType.flatMap(([fields, isUsed]) => {
    const isLeft = isUsed(before) && !isUsed(spec);
    return isLeft && fields.every((field) => equalJson(spec[field], before[field])) ? fields : [];
  });
  const kept = Object.fromEntries(Object.entries(spec).filter(([field]) => !unused.includes(field)));
  if (!needsNodePort(before) || needsNodePort(spec) || !haveSameNodePorts(spec, before)) return kept;
  return { ...kept, ports: listAt(spec, "ports").map(withoutNodePort) };
}

function withoutNodePort(port: unknown): unknown {
  if (!isRecord(port)) return port;
  const { nodePort: _nodePort, ...rest } = port;
  return rest;
}

function haveSameNodePorts(spec: Spec, before: Spec): boolean {
  const [now, then] = [nodePortsOf(spec), nodePortsOf(before)];
  return now.size === then.size && [...now].every((port) => then.has(port));
}

export function nodePortOf(port: unknown): number {
  const found = isRecord(port) ? port["nodePort"] : undefined;
  return typeof found === "number" ? found : 0;
}

export function nodePortsOf(spec: Spec): ReadonlySet<number> {
  return new Set(
    listAt(spec, "ports")
      .map(nodePortOf)
      .filter((port) => port !== 0),
  );
}

/** Returns the node ports of a Service, including the one for health checks. */
export function allNodePortsOf(spec: Spec): readonly number[] {
  const { healthCheckNodePort: port = 0 } = spec;
  return [...nodePortsOf(spec), ...(typeof port === "number" && port !== 0 ? [port] : [])];
}

/** Clears the load balancer status of a Service of another type. */
export function dropBalancerStatus(service: UnstructuredObject): UnstructuredObject {
  if (isBalancer(recordAt(service, "spec"))) return service;
  return { ...service, status: { ...recordAt(service, "status"), loadBalancer: {} } };
}
