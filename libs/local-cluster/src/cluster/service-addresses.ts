import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Store } from "../storage/store.ts";

const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** Gives Services their cluster IP (10.96.0.0/16) and node ports, each to one Service. */
export class ServiceAddresses {
  readonly #addresses = new Set<unknown>();
  readonly #ports = new Set<unknown>();
  #lastHost = 9;
  #lastPort = firstNodePort;

  constructor(store: Store) {
    store.subscribe("services", ({ type, current, previous }) => {
      this.#forget(previous?.object);
      if (type !== "DELETED") this.#remember(current.object);
    });
  }

  /** Completes a Service that is being created. */
  complete(service: UnstructuredObject): UnstructuredObject {
    const spec = recordAt(service, "spec");
    const type = stringAt(spec, "type");
    if (type === "ExternalName") return service;
    const clusterIP = stringAt(spec, "clusterIP") || this.#nextAddress();
    const ports = listAt(spec, "ports").map((port) =>
      isRecord(port) && needsNodePort(spec, port) ? { ...port, nodePort: this.#nextPort() } : port,
    );
    return {
      ...service,
      spec: {
        ...spec,
        clusterIP,
        clusterIPs: [clusterIP],
        ipFamilies: spec["ipFamilies"] ?? ["IPv4"],
        ipFamilyPolicy: spec["ipFamilyPolicy"] ?? "SingleStack",
        ...(ports.length === 0 ? {} : { ports }),
      },
    };
  }

  #nextAddress(): string {
    for (;;) {
      this.#lastHost = (this.#lastHost % 65_000) + 1;
      const address = `10.96.${this.#lastHost >> 8}.${this.#lastHost & 255}`;
      if (!this.#addresses.has(address)) return address;
    }
  }

  #nextPort(): number {
    do {
      this.#lastPort = this.#lastPort >= lastNodePort ? firstNodePort : this.#lastPort + 1;
    } while (this.#ports.has(this.#lastPort));
    return this.#lastPort;
  }

  #remember(service: UnstructuredObject): void {
    this.#addresses.add(stringAt(service, "spec", "clusterIP"));
    for (const port of nodePorts(service)) this.#ports.add(port);
  }

  #forget(service: UnstructuredObject | undefined): void {
    if (service === undefined) return;
    this.#addresses.delete(stringAt(service, "spec", "clusterIP"));
    for (const port of nodePorts(service)) this.#ports.delete(port);
  }
}

function nodePorts(service: UnstructuredObject): readonly unknown[] {
  return listAt(service, "spec", "ports").map((port) => fieldAt(port, "nodePort"));
}

function needsNodePort(spec: Readonly<Record<string, unknown>>, port: Readonly<Record<string, unknown>>): boolean {
  const type = stringAt(spec, "type");
  const isExternal =
    type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
  return isExternal && (port["nodePort"] === undefined || port["nodePort"] === 0);
}
