import { isIP } from "node:net";
import type { UnstructuredObject } from "@landscaper/api";
import { familyOf, toBlockList } from "../rules/address-rules.ts";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { needsHealthCheckPort, needsNodePort, nodePortOf, nodePortsOf } from "../strategies/service-fields.ts";
import { familyErrors, isSelectorless } from "../strategies/service-families.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";
import { StatusError } from "../status/status-error.ts";
import type { Store } from "../storage/store.ts";

type Spec = Readonly<Record<string, unknown>>;

const firstNodePort = 30_000;
const lastNodePort = 32_767;
const portRange = `${firstNodePort}-${lastNodePort}`;

function isNodePort(number: number): boolean {
  return number >= firstNodePort && number <= lastNodePort;
}

const range = "10.96.0.0/16";
const addressesOfRange = toBlockList(range);

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

  /**
   * What keeps a Service from getting the addresses and ports that it asks for: they are beyond their range, taken by another Service, or of
   * an IP family that the cluster does not have. Throws StatusError for a port of health checks.
   */
  problems(service: UnstructuredObject, old: UnstructuredObject | undefined): readonly FieldError[] {
    const spec = recordAt(service, "spec");
    if (stringAt(spec, "type") === "ExternalName") return [];
    const before = recordAt(old, "spec");
    const families = familyErrors(spec);
    if (families.length > 0) return families;
    const errors = [...this.#addressProblems(spec, before), ...this.#portProblems(spec, before)];
    if (errors.length === 0) this.#checkHealthPort(spec, before);
    return errors;
  }

  #addressProblems(spec: Spec, before: Spec): readonly FieldError[] {
    const address = stringAt(spec, "clusterIP");
    // An address that changes is a problem of its own.
    if (address === "" || address === "None" || stringAt(before, "clusterIP") !== "") return [];
    const at = "spec.clusterIPs";
    if (familyOf(address) === 0) return [];
    if (isIP(address) !== 4 || !addressesOfRange.check(address))
      return [
        invalidField(
          at,
          [address],
          `failed to allocate IP ${address}: the provided IP is not in the valid range. The range of valid IPs is ${range}`,
        ),
      ];
    return this.#addresses.has(address)
      ? [invalidField(at, [address], `failed to allocate IP ${address}: provided IP is already allocated`)]
      : [];
  }

  #portProblems(spec: Spec, before: Spec): readonly FieldError[] {
    if (!needsNodePort(spec)) return [];
    const own = nodePortsOf(before);
    const asked = new Set<string>();
    const numbers = new Map<number, string>();
    return listAt(spec, "ports").flatMap((port, i) => {
      const number = nodePortOf(port);
      const protocol = stringAt(port, "protocol");
      if (number === 0) return [];
      const at = `spec.ports[${i}].nodePort`;
      const isTwice = asked.has(`${number}/${protocol}`);
      asked.add(`${number}/${protocol}`);
      const isKept = own.has(number) || numbers.has(number);
      numbers.set(number, protocol);
      if (own.has(number)) return [];
      if (!isNodePort(number))
        return [
          invalidField(at, number, `provided port is not in the valid range. The range of valid ports is ${portRange}`),
        ];
      return isTwice || (!isKept && this.#ports.has(number))
        ? [invalidField(at, number, "provided port is already allocated")]
        : [];
    });
  }

  #checkHealthPort(spec: Spec, before: Spec): void {
    const port = spec["healthCheckNodePort"];
    // A port that changes is a problem of its own.
    if (typeof port !== "number" || !needsHealthCheckPort(spec) || needsHealthCheckPort(before)) return;
    if (port < 1 || port > 65_535) return;
    const isTaken = this.#ports.has(port) || nodePortsOf(spec).has(port);
    if (isNodePort(port) && !isTaken) return;
    const detail = isTaken
      ? "provided port is already allocated"
      : `provided port is not in the valid range. The range of valid ports is ${portRange}`;
    throw new StatusError({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: failed to allocate requested HealthCheck NodePort ${port}: ${detail}`,
    });
  }

  /** Gives a Service that is about to be written the addresses and ports that its type needs. */
  complete(service: UnstructuredObject): UnstructuredObject {
    const spec = recordAt(service, "spec");
    const type = stringAt(spec, "type");
    if (type === "ExternalName") return service;
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
        ...(isSelectorless(spec) ? dualStack : singleStack),
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
