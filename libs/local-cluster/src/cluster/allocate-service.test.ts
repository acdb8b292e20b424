import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { toIpv4Number } from "../objects/ip-address.ts";
import { recordAt } from "../objects/json.ts";
import type { Allocation, ServiceRanges } from "./allocate-service.ts";
import { allocateService } from "./allocate-service.ts";

const ranges: ServiceRanges = {
  addresses: { first: toIpv4Number("10.0.0.1"), last: toIpv4Number("10.0.0.6"), preferred: toIpv4Number("10.0.0.3") },
  ports: { first: 30_000, last: 30_002 },
};

interface State {
  readonly old?: object;
  readonly addresses?: readonly string[];
  readonly ports?: readonly number[];
}

const serviceOf = (spec: object): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "shop" },
  spec: { ...spec },
});

function allocate(spec: object, { old, addresses = [], ports = [] }: State = {}): Allocation {
  return allocateService({
    service: serviceOf(spec),
    old: old === undefined ? undefined : serviceOf(old),
    inUse: { addresses: new Set(addresses), ports: new Set(ports) },
    ranges,
  });
}

/** Cluster IP, node ports and health check port, or the problem. */
function outcomeOf(spec: object, state?: State): unknown {
  const allocation = allocate(spec, state);
  if ("failure" in allocation) return allocation.failure;
  if ("errors" in allocation) return allocation.errors.map(({ field, message }) => `${field}: ${message}`);
  const { clusterIP, ports, healthCheckNodePort } = recordAt(allocation.service, "spec");
  const numbers = Array.isArray(ports) ? ports.map((port) => recordAt(port)["nodePort"]) : [];
  return [clusterIP, ...numbers, ...(healthCheckNodePort === undefined ? [] : [{ health: healthCheckNodePort }])];
}

const tcp = { name: "tcp", port: 80, protocol: "TCP" };
const udp = { name: "udp", port: 80, protocol: "UDP" };
const other = { name: "other", port: 81, protocol: "TCP" };
const otherUdp = { name: "other-udp", port: 81, protocol: "UDP" };
const balancer = { type: "LoadBalancer", externalTrafficPolicy: "Local" };
const allAddresses = [1, 2, 3, 4, 5, 6].map((host) => `10.0.0.${host}`);
const outOfRange = "provided port is not in the valid range. The range of valid ports is 30000-30002";
const otherRange = (address: string): string =>
  `spec.clusterIPs: Invalid value: ["${address}"]: failed to allocate IP ${address}: the provided network does not match the current range`;
const takenAddress = (address: string): string =>
  `spec.clusterIPs: Invalid value: ["${address}"]: failed to allocate IP ${address}: provided IP is already allocated`;
const takenPort = (i: number, port: number): string =>
  `spec.ports[${i}].nodePort: Invalid value: ${port}: provided port is already allocated`;

describe("allocateService", () => {
  it.each<[what: string, spec: object, state: State, outcome: unknown]>([
    ["assigns the first address of the preferred part", { ports: [tcp] }, {}, ["10.0.0.3", undefined]],
    ["passes over addresses in use", { ports: [tcp] }, { addresses: ["10.0.0.3"] }, ["10.0.0.4", undefined]],
    [
      "uses the first part of the range last",
      { ports: [tcp] },
      { addresses: allAddresses.slice(2) },
      ["10.0.0.1", undefined],
    ],
    [
      "reports a full range of addresses",
      {},
      { addresses: allAddresses },
      "failed to allocate a serviceIP: range is full",
    ],
    ["keeps a free address", { clusterIP: "10.0.0.6" }, {}, ["10.0.0.6"]],
    ["keeps the notation of an address", { clusterIP: "::ffff:10.0.0.6" }, {}, ["::ffff:10.0.0.6"]],
    ["keeps None", { clusterIP: "None" }, { addresses: allAddresses }, ["None"]],
    ["leaves text that is not an address to the validation", { clusterIP: "fe80::1%eth0" }, {}, ["fe80::1%eth0"]],
    ["refuses the network address", { clusterIP: "10.0.0.0" }, {}, [otherRange("10.0.0.0")]],
    ["refuses the broadcast address", { clusterIP: "10.0.0.7" }, {}, [otherRange("10.0.0.7")]],
    ["refuses an address of another range", { clusterIP: "1.2.3.4" }, {}, [otherRange("1.2.3.4")]],
    ["refuses a taken address", { clusterIP: "10.0.0.5" }, { addresses: ["10.0.0.5"] }, [takenAddress("10.0.0.5")]],
    [
      "refuses a taken address in another notation",
      { clusterIP: "010.0.0.005" },
      { addresses: ["10.0.0.5"] },
      [takenAddress("010.0.0.005")],
    ],
    ["gives an ExternalName nothing", { type: "ExternalName", ports: [tcp] }, {}, [undefined, undefined]],
    [
      "checks the address of a former ExternalName",
      { type: "ClusterIP", clusterIP: "10.0.0.0" },
      { old: { type: "ExternalName" } },
      [otherRange("10.0.0.0")],
    ],
  ])("%s", (...[, spec, state, outcome]) => {
    expect(outcomeOf(spec, state)).toEqual(outcome);
  });

  it.each<[what: string, spec: object, state: State, outcome: unknown]>([
    ["assigns node ports", { type: "NodePort", ports: [tcp, other] }, {}, ["10.0.0.3", 30_000, 30_001]],
    ["gives a ClusterIP no node ports", { type: "ClusterIP", ports: [tcp] }, {}, ["10.0.0.3", undefined]],
    [
      "assigns no number that a later port asks for",
      { type: "NodePort", ports: [tcp, { ...other, nodePort: 30_000 }] },
      {},
      ["10.0.0.3", 30_001, 30_000],
    ],
    [
      "assigns no number that the health check asks for",
      { ...balancer, healthCheckNodePort: 30_000, ports: [tcp] },
      {},
      ["10.0.0.3", 30_001, { health: 30_000 }],
    ],
    [
      "assigns a health check port beside those of the ports",
      { ...balancer, ports: [tcp, { ...other, nodePort: 30_001 }] },
      {},
      ["10.0.0.3", 30_000, 30_001, { health: 30_002 }],
    ],
    [
      "reports a full range of node ports",
      { type: "NodePort", ports: [tcp, other] },
      { ports: [30_000, 30_001] },
      "failed to allocate a nodePort: range is full",
    ],
    [
      "reports a full range for more ports than numbers",
      { type: "NodePort", ports: [1, 2, 3, 4].map((port) => ({ name: `p${port}`, port, protocol: "TCP" })) },
      {},
      "failed to allocate a nodePort: range is full",
    ],
    [
      "reports a full range for a health check port",
      { ...balancer, allocateLoadBalancerNodePorts: false, ports: [tcp] },
      { ports: [30_000, 30_001, 30_002] },
      "failed to allocate a HealthCheck NodePort 0: range is full",
    ],
    [
      "refuses a number out of range",
      {
        type: "NodePort",
        ports: [
          { ...tcp, nodePort: 29_999 },
          { ...other, nodePort: 29_998 },
        ],
      },
      {},
      [`spec.ports[0].nodePort: Invalid value: 29999: ${outOfRange}`],
    ],
    [
      "refuses a taken number",
      { type: "NodePort", ports: [tcp, { ...other, nodePort: 30_001 }] },
      { ports: [30_001] },
      [takenPort(1, 30_001)],
    ],
    [
      "refuses one number for two ports",
      {
        type: "NodePort",
        ports: [
          { ...tcp, nodePort: 30_001 },
          { ...other, nodePort: 30_001 },
        ],
      },
      {},
      [takenPort(1, 30_001)],
    ],
    [
      "refuses a health check port that a port has",
      { ...balancer, healthCheckNodePort: 30_001, ports: [{ ...tcp, nodePort: 30_001 }] },
      {},
      "failed to allocate requested HealthCheck NodePort 30001: provided port is already allocated",
    ],
    [
      "refuses a taken health check port",
      { ...balancer, healthCheckNodePort: 30_001, ports: [tcp] },
      { ports: [30_001] },
      "failed to allocate requested HealthCheck NodePort 30001: provided port is already allocated",
    ],
    [
      "refuses a health check port out of range",
      { ...balancer, healthCheckNodePort: 29_999, ports: [tcp] },
      {},
      `failed to allocate requested HealthCheck NodePort 29999: ${outOfRange}`,
    ],
    [
      "assigns no node ports without allocateLoadBalancerNodePorts",
      { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ ...tcp, nodePort: 30_001 }, other] },
      {},
      ["10.0.0.3", 30_001, undefined],
    ],
    [
      "shares no node port without allocateLoadBalancerNodePorts",
      { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [udp, { ...tcp, nodePort: 30_001 }] },
      {},
      ["10.0.0.3", undefined, 30_001],
    ],
    [
      "refuses a taken number without allocateLoadBalancerNodePorts",
      { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ ...tcp, nodePort: 30_001 }] },
      { ports: [30_001] },
      [takenPort(0, 30_001)],
    ],
  ])("%s", (...[, spec, state, outcome]) => {
    expect(outcomeOf(spec, state)).toEqual(outcome);
  });

  it.each<[what: string, ports: readonly object[], outcome: unknown]>([
    ["two automatic ports", [tcp, udp], [30_000, 30_000]],
    ["an explicit port and an automatic one", [{ ...tcp, nodePort: 30_002 }, udp], [30_002, 30_002]],
    ["an automatic port and an explicit one", [tcp, { ...udp, nodePort: 30_002 }], [30_002, 30_002]],
    ["two explicit ports", [tcp, udp].map((port) => ({ ...port, nodePort: 30_002 })), [30_002, 30_002]],
  ])("shares a node port between protocols of one port of a new Service: %s", (_, ports, numbers) => {
    expect(outcomeOf({ type: "NodePort", ports })).toEqual(["10.0.0.3", ...(numbers as readonly number[])]);
  });

  it("refuses one node port for two port numbers of a new Service", () => {
    const ports = [tcp, otherUdp].map((port) => ({ ...port, nodePort: 30_002 }));
    expect(outcomeOf({ type: "NodePort", ports })).toEqual([takenPort(1, 30_002)]);
  });

  const old = { type: "NodePort", clusterIP: "10.0.0.3", ports: [{ ...tcp, nodePort: 30_000 }] };
  it.each<[what: string, spec: object, outcome: unknown]>([
    ["keeps its node port", { ...old }, ["10.0.0.3", 30_000]],
    [
      "keeps its node port for another protocol",
      { ...old, ports: [{ ...udp, nodePort: 30_000 }] },
      ["10.0.0.3", 30_000],
    ],
    [
      "assigns another node port to another protocol",
      { ...old, ports: [{ ...tcp, nodePort: 30_000 }, udp] },
      ["10.0.0.3", 30_000, 30_001],
    ],
    [
      "shares a new node port between protocols that ask for it",
      { ...old, ports: [tcp, otherUdp].map((port) => ({ ...port, nodePort: 30_001 })) },
      ["10.0.0.3", 30_001, 30_001],
    ],
    [
      "refuses a new node port for two ports of one protocol",
      { ...old, ports: [tcp, other].map((port) => ({ ...port, nodePort: 30_001 })) },
      [takenPort(1, 30_001)],
    ],
    [
      "refuses its own node port as health check port",
      { ...old, ...balancer, healthCheckNodePort: 30_000, ports: [{ ...tcp, nodePort: 30_001 }] },
      "failed to allocate requested HealthCheck NodePort 30000: provided port is already allocated",
    ],
  ])("an update %s", (_, spec, outcome) => {
    expect(outcomeOf(spec, { old, addresses: ["10.0.0.3"], ports: [30_000] })).toEqual(outcome);
  });

  it("reports a full range for 100,000 ports", () => {
    const ports = Array.from({ length: 100_000 }, (_, port) => ({ name: `p${port}`, port, protocol: "TCP" }));
    expect(outcomeOf({ type: "NodePort", ports })).toBe("failed to allocate a nodePort: range is full");
  });
});
