import type { UnstructuredObject } from "@landscaper/api";
import { fromIpv4Number, parseIpAddress, toIpv4Number } from "../objects/ip-address.ts";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { familyErrors, isSelectorless } from "../strategies/service-families.ts";
import {
  hasNodePorts,
  needsHealthCheckPort,
  needsNodePort,
  allNodePortsOf,
  nodePortOf,
  nodePortsOf,
} from "../strategies/service-fields.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";
import { NodePortAllocator } from "./node-port-allocator.ts";
import { firstFree, isIn, type NumberRange } from "./number-range.ts";
import { SharedNodePorts } from "./shared-node-ports.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Ranges from which Services get cluster IPs and node ports. */
export interface ServiceRanges {
  /** IPv4 addresses as integers, without the network and the broadcast address. */
  readonly addresses: NumberRange;
  readonly ports: NumberRange;
}

/** Cluster IPs and node ports of the stored Services. */
export interface NumbersInUse {
  /** Canonical addresses. */
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

export interface AllocationRequest {
  readonly service: UnstructuredObject;
  /** The stored Service; undefined for a creation. */
  readonly old: UnstructuredObject | undefined;
  readonly inUse: NumbersInUse;
  readonly ranges: ServiceRanges;
}

/** The completed Service, its invalid fields, or the message of an internal error: the real server answers some invalid requests with 500. */
export type Allocation =
  | { readonly service: UnstructuredObject }
  | { readonly errors: readonly FieldError[] }
  | { readonly failure: string };

/** Leaves the allocation with its result. */
class Refusal extends Error {
  readonly allocation: Exclude<Allocation, { readonly service: UnstructuredObject }>;

  constructor(allocation: Refusal["allocation"]) {
    super("failed to allocate");
    this.allocation = allocation;
  }
}

function refuse(at: string, value: unknown, detail: string): never {
  throw new Refusal({ errors: [invalidField(at, value, detail)] });
}

function fail(failure: string): never {
  throw new Refusal({ failure });
}

const full = "range is full";

/** Gives a Service the cluster IP and the node ports that its type needs. Like the real server, reports the first problem only. */
export function allocateService(request: AllocationRequest): Allocation {
  const { service, old } = request;
  const spec = recordAt(service, "spec");
  if (stringAt(spec, "type") === "ExternalName") return { service };
  const errors = familyErrors(spec);
  if (errors.length > 0) return { errors };
  try {
    return { service: { ...service, spec: completeSpec(spec, recordAt(old, "spec"), request) } };
  } catch (error) {
    if (error instanceof Refusal) return error.allocation;
    throw error;
  }
}

const singleStack = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
/** Endpoints of a headless Service without selector may use any IP family. */
const dualStack = { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" };

function completeSpec(spec: Spec, before: Spec, request: AllocationRequest): Spec {
  const { old, inUse, ranges } = request;
  const clusterIP = allocateClusterIP(spec, before, request);
  const allocator = new NodePortAllocator({
    range: ranges.ports,
    inUse: inUse.ports,
    asked: new Set(allNodePortsOf(spec)),
  });
  const ports = hasNodePorts(spec) ? allocateNodePorts({ spec, old, allocator }) : listAt(spec, "ports");
  const healthPort = allocateHealthCheckPort(spec, before, allocator);
  return {
    ...spec,
    clusterIP,
    clusterIPs: spec["clusterIPs"] ?? [clusterIP],
    ...(isSelectorless(spec) ? dualStack : singleStack),
    ...(spec["ipFamilies"] === undefined ? {} : { ipFamilies: spec["ipFamilies"] }),
    ...(spec["ipFamilyPolicy"] === undefined ? {} : { ipFamilyPolicy: spec["ipFamilyPolicy"] }),
    ...(ports.length === 0 ? {} : { ports }),
    ...(healthPort === undefined ? {} : { healthCheckNodePort: healthPort }),
  };
}

function allocateClusterIP(spec: Spec, before: Spec, { inUse, ranges }: AllocationRequest): string {
  const asked = stringAt(spec, "clusterIP");
  if (asked === "") {
    const host = firstFree(ranges.addresses, (number) => inUse.addresses.has(fromIpv4Number(number)));
    return host === undefined ? fail(`failed to allocate a serviceIP: ${full}`) : fromIpv4Number(host);
  }
  // The validation reports text that is not an address, and a changed address.
  const address = parseIpAddress(asked);
  if (address === undefined || stringAt(before, "clusterIP") !== "") return asked;
  if (!isIn(ranges.addresses, toIpv4Number(address.text)))
    refuseAddress(asked, "the provided network does not match the current range");
  if (inUse.addresses.has(address.text)) refuseAddress(asked, "provided IP is already allocated");
  return asked;
}

function refuseAddress(address: string, reason: string): never {
  refuse("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${reason}`);
}

type PortsRequest = Pick<AllocationRequest, "old"> & { readonly spec: Spec; readonly allocator: NodePortAllocator };

/** Returns the ports with their node ports. Throws Refusal. */
function allocateNodePorts({ spec, old, allocator }: PortsRequest): readonly unknown[] {
  const ports = listAt(spec, "ports");
  const kept = nodePortsOf(recordAt(old, "spec"));
  const shared = new SharedNodePorts(ports, old !== undefined);
  const isAutomatic = needsNodePort(spec);
  return ports.map((port, i) => {
    if (!isRecord(port)) return port;
    const asked = nodePortOf(port) || (isAutomatic ? shared.requested(port) : 0);
    const isKnown = kept.has(asked) || shared.isShared(port, asked);
    if (asked === 0 && !isAutomatic) return port;
    const nodePort = asked === 0 ? (shared.shared(port) ?? allocator.allocateNext()) : asked;
    if (nodePort === undefined) fail(`failed to allocate a nodePort: ${full}`);
    const problem = asked === 0 || isKnown ? undefined : allocator.allocate(nodePort);
    if (problem !== undefined) refuse(`spec.ports[${i}].nodePort`, nodePort, problem);
    shared.note(port, nodePort);
    return { ...port, nodePort };
  });
}

function allocateHealthCheckPort(spec: Spec, before: Spec, allocator: NodePortAllocator): number | undefined {
  const asked = spec["healthCheckNodePort"];
  // The validation reports a changed port, and a number that is not a port.
  if (!needsHealthCheckPort(spec) || needsHealthCheckPort(before)) return undefined;
  if (typeof asked !== "number" || asked === 0)
    return allocator.allocateNext() ?? fail(`failed to allocate a HealthCheck NodePort 0: ${full}`);
  if (asked < 1 || asked > 65_535) return undefined;
  const problem = allocator.allocate(asked);
  if (problem !== undefined) fail(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  return asked;
}
