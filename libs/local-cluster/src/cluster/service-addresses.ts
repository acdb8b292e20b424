import type { UnstructuredObject } from "@landscaper/api";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { Store } from "../storage/store.ts";

const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** Gives Services their cluster IP (10.96.0.0/16) and node ports; both are looked up among the Services that are there. */
export class ServiceAddresses {
  readonly #store: Store;
  #lastHost = 9;
  #lastPort = firstNodePort;

  constructor(store: Store) {
    this.#store = store;
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
    const taken = new Set(this.#services().map((service) => stringAt(service, "spec", "clusterIP")));
    for (;;) {
      this.#lastHost = (this.#lastHost % 65_000) + 1;
      const address = `10.96.${this.#lastHost >> 8}.${this.#lastHost & 255}`;
      if (!taken.has(address)) return address;
    }
  }

  #nextPort(): number {
    const taken = new Set(
      this.#services().flatMap((service) =>
        listAt(service, "spec", "ports").map((port) => recordAt({ port }, "port")["nodePort"]),
      ),
    );
    do {
      this.#lastPort = this.#lastPort >= lastNodePort ? firstNodePort : this.#lastPort + 1;
    } while (taken.has(this.#lastPort));
    return this.#lastPort;
  }

  #services(): readonly UnstructuredObject[] {
    return this.#store
      .collection("services")
      .list()
      .map(({ object }) => object);
  }
}

function needsNodePort(spec: Readonly<Record<string, unknown>>, port: Readonly<Record<string, unknown>>): boolean {
  const type = stringAt(spec, "type");
  const isExternal =
    type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
  return isExternal && (port["nodePort"] === undefined || port["nodePort"] === 0);
}
