import { readFileSync } from "node:fs";
import type { Lease } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { readProcessUsage } from "../bench/measure/process-usage.ts";
import { parsePrometheusText, sumBy } from "../bench/measure/prometheus-text.ts";
import type { ServiceProcess } from "../src/services/service-process.ts";

const longestTurnMetric = "landscaper_main_thread_longest_turn_seconds";

export interface LeaseState {
  readonly name: string;
  readonly holder: string;
  readonly transitions: number;
}

/** Whether a process lives as it should, and what it has used so far. */
export interface Vitals {
  readonly service: string;
  readonly pid: number;
  /** How its processes have ended by themselves. */
  readonly crashes: readonly string[];
  /** Those that it holds. */
  readonly leases: readonly LeaseState[];
  /** Whether it answered when it was asked for its metrics. */
  readonly isResponsive: boolean;
  /** What its log says of Leases that it has lost. */
  readonly lostLeases: readonly string[];
  readonly cpuSeconds: number;
  readonly peakRssMiB: number;
  /** The longest that its main thread has worked without a pause; undefined when the service does not measure it. */
  readonly longestTurnMs: number | undefined;
}

function stateOf({ metadata, spec }: Lease): LeaseState {
  return { name: metadata.name ?? "", holder: spec?.holderIdentity ?? "", transitions: spec?.leaseTransitions ?? 0 };
}

/** What a log says of Leases that were lost, once for each line that says so: "the lease x is lost: why". Pure. */
export function findLostLeases(log: string): string[] {
  return [...log.matchAll(/the lease \S+ is lost: [^"\n]*/g)].map(([text]) => text);
}

/** Reads how a running service is doing. `leaseNamespace` is the namespace of its pod. */
export async function readVitals(
  service: ServiceProcess,
  { client, leaseNamespace }: { readonly client: Client; readonly leaseNamespace: string },
): Promise<Vitals> {
  const { items } = await client.list(kubeResources.lease, { namespace: leaseNamespace });
  const metrics = await service.metrics().catch(() => undefined);
  const turns = sumBy(parsePrometheusText(metrics ?? ""), longestTurnMetric, [])[""];
  return {
    service: service.pod,
    pid: service.child.pid,
    crashes: [...service.crashes],
    leases: items.map(stateOf).filter(({ holder }) => holder.split("/").at(-1) === service.pod),
    isResponsive: metrics !== undefined,
    lostLeases: findLostLeases(readFileSync(service.logFile, "utf8")),
    ...readProcessUsage(service.child.pid),
    longestTurnMs: turns === undefined ? undefined : turns * 1000,
  };
}

function findLeaseChanges(before: Vitals, after: Vitals): string[] {
  return before.leases.flatMap(({ name, transitions }) => {
    const now = after.leases.find((lease) => lease.name === name);
    if (now === undefined) return [`${before.service} no longer holds the Lease ${name}`];
    if (now.transitions === transitions) return [];
    return [`the Lease ${name} of ${before.service} changed hands ${now.transitions - transitions} times`];
  });
}

/** One line for each sign that a service was not left in peace between two readings: an end, a restart, a lost Lease. Pure. */
export function findDisturbances(before: Vitals, after: Vitals): string[] {
  const crashes = after.crashes.slice(before.crashes.length);
  return [
    ...crashes.map((crash) => `${after.service} ended by itself: ${crash}`),
    ...(before.pid === after.pid ? [] : [`${after.service} was restarted`]),
    ...(after.isResponsive ? [] : [`${after.service} does not answer`]),
    ...findLeaseChanges(before, after),
    // Everything that was in work says so.
    ...new Set(after.lostLeases.slice(before.lostLeases.length).map((text) => `${after.service}: ${text}`)),
  ];
}
