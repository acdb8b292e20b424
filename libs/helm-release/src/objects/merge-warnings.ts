import type { UnstructuredObject, Warning } from "@landscaper/api";
import { fieldAt, formatResource, isJsonObject, referenceTo } from "@landscaper/resources";
import type { PastObject } from "./past-objects.ts";

export interface MergedObject {
  /** As the chart has it. */
  readonly desired: UnstructuredObject;
  readonly before: Pick<PastObject, "object" | "otherForms">;
}

/** Returns warnings of differences between the chart and an object after Helm's three-way merge. Pure. */
export function warnOfMerge(live: UnstructuredObject, { desired, before }: MergedObject): readonly Warning[] {
  return [...leftKeys(live, { desired, before }), ...lostPorts(live, desired)];
}

/** The merge removes such a key only from `stringData`, which the API server does not store. Its value stays in `data`. */
function leftKeys(live: UnstructuredObject, { desired, before }: MergedObject): readonly Warning[] {
  if (desired.apiVersion !== "v1" || desired.kind !== "Secret") return [];
  const keysOf = (object: UnstructuredObject, field: string): string[] => Object.keys(Object(object[field]));
  const wanted = new Set([...keysOf(desired, "data"), ...keysOf(desired, "stringData")]);
  const former = new Set([before.object, ...before.otherForms].flatMap((object) => keysOf(object, "stringData")));
  const left = keysOf(live, "data").filter((key) => former.has(key) && !wanted.has(key));
  if (left.length === 0) return [];
  const message = `${formatResource(referenceTo(desired))}: the chart no longer has ${left.join(", ")} in stringData, but the three-way merge leaves ${left.length === 1 ? "this key" : "these keys"} in the Secret; set updateStrategy: apply, or remove ${left.length === 1 ? "it" : "them"} by hand`;
  return [{ reason: "StringDataLeft", message }];
}

/** A list of ports, and the field that the merge takes for its key. The merge ignores the protocol. */
interface PortList {
  /** Name of the container; undefined for a Service. */
  readonly container: string | undefined;
  readonly ports: readonly unknown[];
  readonly key: "port" | "containerPort";
}

/** Two ports of one number, such as 53/TCP and 53/UDP, are one for the merge. */
function lostPorts(live: UnstructuredObject, desired: UnstructuredObject): readonly Warning[] {
  const liveLists = portListsOf(live);
  return portListsOf(desired).flatMap(({ container, ports, key }) => {
    const kept = liveLists.find((list) => list.container === container)?.ports ?? [];
    const names = new Set(kept.map((port) => nameOfPort(port, key)));
    const numbers = ports.map((port) => fieldAt(port, key));
    const lost = ports
      .filter((port, index) => numbers.some((number, other) => other !== index && number === fieldAt(port, key)))
      .map((port) => nameOfPort(port, key))
      .filter((name) => !names.has(name));
    if (lost.length === 0) return [];
    const where = container === undefined ? "" : `container ${container}: `;
    const message = `${formatResource(referenceTo(desired))}: ${where}the three-way merge does not keep the port ${lost.join(", ")} of the chart, because another port has the same number; set updateStrategy: apply, which keeps it`;
    return [{ reason: "PortLost", message }];
  });
}

function nameOfPort(port: unknown, key: PortList["key"]): string {
  const protocol = fieldAt(port, "protocol");
  return `${String(fieldAt(port, key))}/${typeof protocol === "string" ? protocol : "TCP"}`;
}

function portListsOf(object: UnstructuredObject): readonly PortList[] {
  if (object.apiVersion === "v1" && object.kind === "Service") {
    return [{ container: undefined, ports: listAt(object, "spec", "ports"), key: "port" }];
  }
  const pod = [
    fieldAt(object, "spec", "template", "spec"),
    fieldAt(object, "spec", "jobTemplate", "spec", "template", "spec"),
    object.kind === "Pod" ? fieldAt(object, "spec") : undefined,
  ].find(isJsonObject);
  return listAt(pod, "containers").map((container) => ({
    container: String(fieldAt(container, "name")),
    ports: listAt(container, "ports"),
    key: "containerPort",
  }));
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
