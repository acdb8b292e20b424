import type { Exchange, ParityCase } from "../exchange.ts";
import { patch, post, put } from "../exchange.ts";
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
];
