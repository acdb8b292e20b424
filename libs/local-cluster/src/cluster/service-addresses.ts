import type { UnstructuredObject } from "@landscaper/api";
import { parseIpAddress, toIpv4Number } from "../objects/ip-address.ts";
import { recordAt, stringAt } from "../objects/json.ts";
import { allNodePortsOf } from "../strategies/service-fields.ts";
import type { Store } from "../storage/store.ts";
import type { Allocation, ServiceRanges } from "./allocate-service.ts";
import { allocateService } from "./allocate-service.ts";

/** The cluster IPs 10.96.0.0/16, and the default node ports of kube-apiserver. */
const ranges: ServiceRanges = {
  addresses: {
    first: toIpv4Number("10.96.0.1"),
    last: toIpv4Number("10.96.255.254"),
    preferred: toIpv4Number("10.96.0.10"),
  },
  ports: { first: 30_000, last: 32_767, preferred: 30_086 },
};

/** Tracks the cluster IPs and node ports of the stored Services, and allocates those of Services that clients write. */
export class ServiceAddresses {
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();

  constructor(store: Store) {
    store.subscribe("services", ({ type, current, previous }) => {
      if (previous !== undefined) this.#forget(previous.object);
      if (type !== "DELETED") this.#remember(current.object);
    });
  }

  /** Completes a Service that is about to be written. */
  allocate(service: UnstructuredObject, old: UnstructuredObject | undefined): Allocation {
    return allocateService({ service, old, inUse: { addresses: this.#addresses, ports: this.#ports }, ranges });
  }

  #remember(service: UnstructuredObject): void {
    const address = addressOf(service);
    if (address !== undefined) this.#addresses.add(address);
    for (const port of allNodePortsOf(recordAt(service, "spec"))) this.#ports.add(port);
  }

  #forget(service: UnstructuredObject): void {
    const address = addressOf(service);
    if (address !== undefined) this.#addresses.delete(address);
    for (const port of allNodePortsOf(recordAt(service, "spec"))) this.#ports.delete(port);
  }
}

function addressOf(service: UnstructuredObject): string | undefined {
  return parseIpAddress(stringAt(service, "spec", "clusterIP"))?.text;
}
