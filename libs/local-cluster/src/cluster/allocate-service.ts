import type { UnstructuredObject } from "@landscaper/api";
import { parseIpAddress } from "../objects/ip-address.ts";
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

type Spec = Readonly<Record<string, unknown>>;

/** Numbers from which Services get theirs; both ends belong to a range. */
export interface ServiceRanges {
  /** IPv4 addresses as integers, without the network and the broadcast address. */
  readonly addresses: NumberRange;
  readonly ports: NumberRange;
}

interface NumberRange {
  readonly first: number;
  readonly last: number;
  /** Smaller numbers are assigned last, as clients tend to ask for them. Default: `first`. */
  readonly preferred?: number;
}

/** Numbers that the stored Services have. */
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

/** The completed Service, its invalid fields, or the text of an internal error, which is what the real server answers to some requests. */
export type Allocation =
  | { readonly service: UnstructuredObject }
  | { readonly errors: readonly FieldError[] }
  | { readonly failure: string };

/** Ends the allocation. */
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
  const clusterIP = clusterIPOf(spec, before, request);
  const allocation = new PortAllocation(request, spec);
  const ports = hasNodePorts(spec) ? withNodePorts({ spec, old: request.old, allocation }) : listAt(spec, "ports");
  const healthPort = healthPortOf(spec, before, allocation);
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

function clusterIPOf(spec: Spec, before: Spec, { inUse, ranges }: AllocationRequest): string {
  const asked = stringAt(spec, "clusterIP");
  if (asked === "") {
    const host = firstFree(ranges.addresses, (number) => inUse.addresses.has(formatAddress(number)));
    return host === undefined ? fail(`failed to allocate a serviceIP: ${full}`) : formatAddress(host);
  }
  // The validation reports text that is not an address, and addresses that change.
  const address = parseIpAddress(asked);
  if (address === undefined || stringAt(before, "clusterIP") !== "") return asked;
  if (!isIn(ranges.addresses, toNumber(address.text)))
    refuseAddress(asked, "the provided network does not match the current range");
  if (inUse.addresses.has(address.text)) refuseAddress(asked, "provided IP is already allocated");
  return asked;
}

function refuseAddress(address: string, reason: string): never {
  refuse("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${reason}`);
}

/** Node ports of one request. A number is free if no Service has it, and the request does not have it elsewhere. */
class PortAllocation {
  readonly #range: NumberRange;
  readonly #inUse: ReadonlySet<number>;
  readonly #allocated = new Set<number>();
  /** Numbers that the request asks for; they are not assigned automatically. */
  readonly #asked: ReadonlySet<number>;

  constructor({ inUse, ranges }: Pick<AllocationRequest, "inUse" | "ranges">, spec: Spec) {
    this.#range = ranges.ports;
    this.#inUse = inUse.ports;
    this.#asked = new Set(allNodePortsOf(spec));
  }

  /** Returns why the number cannot be allocated, or undefined after allocating it. */
  take(number: number): string | undefined {
    const { first, last } = this.#range;
    if (!isIn(this.#range, number))
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    if (this.#isTaken(number)) return "provided port is already allocated";
    this.#allocated.add(number);
    return undefined;
  }

  /** Allocates a free number; returns undefined if the range is full. */
  next(): number | undefined {
    const number = firstFree(this.#range, (each) => this.#isTaken(each) || this.#asked.has(each));
    if (number !== undefined) this.#allocated.add(number);
    return number;
  }

  #isTaken(number: number): boolean {
    return this.#inUse.has(number) || this.#allocated.has(number);
  }
}

type PortsRequest = Pick<AllocationRequest, "old"> & { readonly spec: Spec; readonly allocation: PortAllocation };

function withNodePorts({ spec, old, allocation }: PortsRequest): readonly unknown[] {
  const ports = listAt(spec, "ports");
  const kept = nodePortsOf(recordAt(old, "spec"));
  const known = new KnownNodePorts(ports, old !== undefined);
  const isAutomatic = needsNodePort(spec);
  return ports.map((port, i) => {
    if (!isRecord(port)) return port;
    const asked = nodePortOf(port) || (isAutomatic ? known.requested(port) : 0);
    const isKnown = kept.has(asked) || known.isShared(port, asked);
    if (asked === 0 && !isAutomatic) return port;
    const nodePort = asked === 0 ? (known.shared(port) ?? allocation.next()) : asked;
    if (nodePort === undefined) fail(`failed to allocate a nodePort: ${full}`);
    const problem = asked === 0 || isKnown ? undefined : allocation.take(nodePort);
    if (problem !== undefined) refuse(`spec.ports[${i}].nodePort`, nodePort, problem);
    known.note(port, nodePort);
    return { ...port, nodePort };
  });
}

type Port = Readonly<Record<string, unknown>>;

/**
 * Which ports of a Service share a node port, as in the real server: those of one port number if the Service is created, and those that ask for
 * one number with several protocols if it is updated.
 */
class KnownNodePorts {
  readonly #isUpdate: boolean;
  /** First node port that is asked for, by port number. */
  readonly #requested = new Map<unknown, number>();
  readonly #byPort = new Map<unknown, number>();
  readonly #protocols = new Set<string>();
  readonly #numbers = new Set<number>();

  constructor(ports: readonly unknown[], isUpdate: boolean) {
    this.#isUpdate = isUpdate;
    for (const port of ports) {
      const { port: key } = recordAt(port);
      const number = nodePortOf(port);
      if (number !== 0 && !this.#requested.has(key)) this.#requested.set(key, number);
    }
  }

  /** Returns the number that another port of the same port number asks for, if this one is the first of them; else 0. */
  requested({ port: key }: Port): number {
    return this.#isUpdate || this.#byPort.has(key) ? 0 : (this.#requested.get(key) ?? 0);
  }

  /** Returns the number of an earlier port, which this one gets without asking for it. */
  shared({ port: key }: Port): number | undefined {
    return this.#isUpdate ? undefined : this.#byPort.get(key);
  }

  isShared({ port: key, protocol }: Port, number: number): boolean {
    if (!this.#isUpdate) return this.#byPort.get(key) === number;
    return this.#numbers.has(number) && !this.#protocols.has(`${String(protocol)} ${number}`);
  }

  note({ port: key, protocol }: Port, number: number): void {
    if (!this.#byPort.has(key)) this.#byPort.set(key, number);
    this.#protocols.add(`${String(protocol)} ${number}`);
    this.#numbers.add(number);
  }
}

function healthPortOf(spec: Spec, before: Spec, allocation: PortAllocation): number | undefined {
  const asked = spec["healthCheckNodePort"];
  // The validation reports a port that changes, and one that is not a port.
  if (!needsHealthCheckPort(spec) || needsHealthCheckPort(before)) return undefined;
  if (typeof asked !== "number" || asked === 0)
    return allocation.next() ?? fail(`failed to allocate a HealthCheck NodePort 0: ${full}`);
  if (asked < 1 || asked > 65_535) return undefined;
  const problem = allocation.take(asked);
  if (problem !== undefined) fail(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  return asked;
}

function isIn({ first, last }: NumberRange, number: number): boolean {
  return number >= first && number <= last;
}

/** Returns the first number from the preferred one on, then from the start of the range. */
function firstFree(range: NumberRange, isTaken: (number: number) => boolean): number | undefined {
  const { first, last, preferred = first } = range;
  for (let number = preferred; number <= last; number += 1) if (!isTaken(number)) return number;
  for (let number = first; number < preferred; number += 1) if (!isTaken(number)) return number;
  return undefined;
}

/** Returns an IPv4 address as an integer. */
export function toNumber(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join(".");
}
