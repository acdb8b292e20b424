import type { UnstructuredObject } from "@landscaper/api";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { needsHealthCheckPort, needsNodePort, nodePortOf, nodePortsOf } from "../strategies/service-fields.ts";
import type { Store } from "../storage/store.ts";

const firstNodePort = 30_000;
const lastNodePort = 32_767;

const singleStack = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
/** Endpoints of a headless Service without selector may use any IP family. */
const dualStack = { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" };

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

  /** Gives a Service that is about to be written the addresses and ports that its type needs. */
  complete(service: UnstructuredObject): UnstructuredObject {
    const spec = recordAt(service, "spec");
    const type = stringAt(spec, "type");
    if (type === "ExternalName") return service;
    const isSelectorless = stringAt(spec, "clusterIP") === "None" && spec["selector"] === undefined;
    const clusterIP = stringAt(spec, "clusterIP") || this.#nextAddress();
    const ports = listAt(spec, "ports").map((port) =>
      isRecord(port) && needsNodePort(spec) && nodePortOf(port) === 0 ? { ...port, nodePort: this.#nextPort() } : port,
    );
    const needsHealthPort = needsHealthCheckPort(spec) && spec["healthCheckNodePort"] === undefined;
    return {
      ...service,
      spec: {
        ...spec,
        clusterIP,
        clusterIPs: spec["clusterIPs"] ?? [clusterIP],
        ...(isSelectorless ? dualStack : singleStack),
        ...(spec["ipFamilies"] === undefined ? {} : { ipFamilies: spec["ipFamilies"] }),
        ...(spec["ipFamilyPolicy"] === undefined ? {} : { ipFamilyPolicy: spec["ipFamilyPolicy"] }),
        ...(ports.length === 0 ? {} : { ports }),
        ...(needsHealthPort ? { healthCheckNodePort: this.#nextPort() } : {}),
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
    for (const port of allNodePorts(service)) this.#ports.add(port);
  }

  #forget(service: UnstructuredObject | undefined): void {
    if (service === undefined) return;
    this.#addresses.delete(stringAt(service, "spec", "clusterIP"));
    for (const port of allNodePorts(service)) this.#ports.delete(port);
  }
}

/** Of its ports, and the one for health checks. */
function allNodePorts(service: UnstructuredObject): readonly unknown[] {
  const spec = recordAt(service, "spec");
  return [...nodePortsOf(spec), ...[spec["healthCheckNodePort"]].filter((port) => port !== undefined)];
}
