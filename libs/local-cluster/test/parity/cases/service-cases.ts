import type { Exchange, ParityCase } from "../exchange.ts";
import { apply, get, patch, post, put, remove } from "../exchange.ts";
import { fieldAt, isRecord } from "../../../src/objects/json.ts";
import type { Path } from "./namespaced-case.ts";
import { inNamespace } from "./namespaced-case.ts";

const ports = [
  { name: "web", port: 80 },
  { name: "dns", port: 53, protocol: "UDP" },
];

/** A valid spec of each type, with the fields that only this type has. */
const specs: Readonly<Record<string, object>> = {
  cluster: { ports },
  headless: { clusterIP: "None", ports },
  node: { type: "NodePort", ports, externalTrafficPolicy: "Local" },
  balancer: { type: "LoadBalancer", ports, loadBalancerClass: "example.com/class" },
  local: { type: "LoadBalancer", ports, externalTrafficPolicy: "Local", loadBalancerSourceRanges: ["10.0.0.0/8"] },
  portless: { type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false },
  external: { type: "ExternalName", externalName: "example.com" },
};

const types = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

/** Changes of a Service of one type to each other type: a patch of the type alone, one with what the type needs, a PUT without addresses. */
function changesOf(path: Path, name: string): readonly Exchange[] {
  const spec = specs[name] ?? {};
  const at = path("services", `/${name}`);
  return [
    post(path("services"), { metadata: { name }, spec }),
    ...types.flatMap((type) => [
      patch(`${at}?dryRun=All`, { spec: { type } }),
      patch(`${at}?dryRun=All`, {
        spec: { type, externalName: type === "ExternalName" ? "example.com" : null, ports },
      }),
    ]),
    ...Object.values(specs).map((other) => put(`${at}?dryRun=All`, { metadata: { name }, spec: other })),
  ];
}

const ingresses = "ingresses.networking.k8s.io/v1";
const backend = { service: { name: "shop", port: { number: 80 } } };
const balancerStatus = (ip: string): object => ({ status: { loadBalancer: { ingress: [{ ip }] } } });

const hosts = [
  "*.example.com",
  "*.x",
  "*",
  "*.",
  "*.*.x",
  "a.*.x",
  "a*.x",
  "**.x",
  "a.*",
  "*.A_b.x",
  "x.*.*",
  "*.192.0.2.1",
  `*.${"a".repeat(252)}`,
];

/** Rules and TLS entries of an Ingress for one host. */
const ingressFor = (host: string): object => ({
  metadata: { name: "i" },
  spec: { defaultBackend: backend, rules: [{ host }], tls: [{ hosts: [host] }] },
});

/** Size of the default range of node ports, 30000 to 32767. */
const nodePortCount = 2768;

/** Returns a Service with its ports replaced by their number. Drops the managed fields, which list every port. */
function countPorts(body: unknown): unknown {
  const listed = fieldAt(body, "spec", "ports");
  if (!isRecord(body) || !isRecord(body["spec"]) || !Array.isArray(listed)) return body;
  const { managedFields: _fields, ...metadata } = isRecord(body["metadata"]) ? body["metadata"] : {};
  return { ...body, metadata, spec: { ...body["spec"], ports: `${listed.length} ports` } };
}

/** Services that change their type keep, get and lose the fields that belong to a type. */
export const serviceCases: readonly ParityCase[] = [
  inNamespace("types of services", (path) => [
    ...Object.keys(specs).flatMap((name) => changesOf(path, name)),
    patch(path("services", "/node"), { spec: { type: "ClusterIP" } }),
    patch(path("services", "/node"), { spec: { type: "NodePort" } }),
    put(path("services", "/node"), { metadata: { name: "node" }, spec: { type: "NodePort", ports: [ports[1]] } }),
    patch(path("services", "/cluster"), { spec: { type: "LoadBalancer" } }),
    patch(path("services", "/cluster"), { spec: { type: "ExternalName", externalName: "example.com" } }),
    patch(path("services", "/cluster"), { spec: { type: "ClusterIP", externalName: null } }),
    patch(path("services", "/balancer/status"), { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } }),
    patch(path("services", "/balancer"), { spec: { type: "ClusterIP" } }),
  ]),
  inNamespace("numbers of services", (path) => {
    const create = (spec: object): Exchange => post(path("services"), { metadata: { name: "other" }, spec });
    const nodePorts = (...numbers: readonly number[]): object => ({
      type: "NodePort",
      ports: numbers.map((nodePort, i) => ({ name: `port-${i}`, port: 80 + i, nodePort })),
    });
    // The real server assigns the first 86 numbers last.
    const [taken, free] = [30_011, 30_012];
    const local = { type: "LoadBalancer", externalTrafficPolicy: "Local" };
    return [
      ...["1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4", "::ffff:102:304", "fe80::1%eth0", "2001:db8::1", "::1.2.3.4"].map(
        (clusterIP) => create({ clusterIP, ports }),
      ),
      post(path("services"), { metadata: { name: "taken" }, spec: nodePorts(taken) }),
      create(nodePorts(taken)),
      create(nodePorts(free, free)),
      create(nodePorts(29_999, 29_998)),
      create({ ...local, ...nodePorts(taken), type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
      ...[true, false].map((allocateLoadBalancerNodePorts) =>
        post(path("services", "?dryRun=All"), {
          metadata: { name: "other" },
          spec: {
            type: "LoadBalancer",
            allocateLoadBalancerNodePorts,
            ports: [
              { name: "udp", port: 80, protocol: "UDP" },
              { name: "tcp", port: 80, nodePort: free },
            ],
          },
        }),
      ),
      ...[taken, free, 29_999].map((healthCheckNodePort) =>
        create({ ...local, healthCheckNodePort, ports: [{ ...ports[0], nodePort: free }] }),
      ),
      patch(path("services", "/taken"), { spec: { ...local, healthCheckNodePort: taken } }),
      patch(path("services", "/taken"), { spec: { ports: [{ port: 80, nodePort: 32_768 }] } }),
      ...["1.2.3.4", "fe80::1%eth0"].map((ip) => patch(path("services", "/taken/status"), balancerStatus(ip))),
      post(path("services"), { metadata: { name: "balancer" }, spec: { type: "LoadBalancer", ports } }),
      ...["1.2.3.4", "fe80::1%eth0"].map((ip) => patch(path("services", "/balancer/status"), balancerStatus(ip))),
      post(path(ingresses), { metadata: { name: "shop" }, spec: { defaultBackend: backend } }),
      ...["1.2.3.4", "fe80::1%eth0"].map((ip) => patch(path(ingresses, "/shop/status"), balancerStatus(ip))),
    ];
  }),
  {
    ...inNamespace("numbers of node ports that run out", (path) => {
      // The real server writes each port number to etcd, and times out after 34 s: one request must not allocate the whole range.
      const portsPerService = 100;
      const create = (name: string): Exchange =>
        post(path("services"), {
          metadata: { name },
          spec: {
            type: "NodePort",
            ports: Array.from({ length: portsPerService }, (_, i) => ({ name: `port-${i}`, port: 80 + i })),
          },
        });
      const names = Array.from({ length: Math.floor(nodePortCount / portsPerService) }, (_, i) => `service-${i}`);
      return [
        ...names.map(create),
        create("other"),
        // The other cases need node ports, too.
        ...names.map((name) => remove(path("services", `/${name}`))),
      ];
    }),
    mask: countPorts,
  },
  inNamespace("hosts of ingresses", (path) =>
    hosts.map((host) => post(`${path(ingresses)}?dryRun=All`, ingressFor(host))),
  ),
  inNamespace("deprecated endpoints", (path) => [
    post(path("endpoints"), { metadata: { name: "e" }, subsets: [] }),
    get(path("endpoints", "/e")),
    get(path("endpoints")),
    get(path("endpoints", "/none")),
    patch(path("endpoints", "/e"), { metadata: { labels: { a: "b" } } }),
    put(path("endpoints", "/e"), { metadata: { name: "e" }, subsets: [] }),
    apply(path("endpoints", "/e"), "one", { apiVersion: "v1", kind: "Endpoints", metadata: { name: "e" } }),
    post(path("endpoints"), { metadata: { name: "E" } }),
    remove(path("endpoints", "/e")),
    remove(path("endpoints")),
    get(path("endpoints", "?watch=true&timeoutSeconds=1")),
  ]),
];
