/** How simulated workloads behave where their annotations do not say otherwise. */
export interface SimulationOptions {
  /** Milliseconds that each step of a pod takes: a container starts, becomes ready, ends. Default: 50. */
  readonly stepMs?: number;
  /** Milliseconds before the first restart in CrashLoopBackOff; doubled each time, at most 5 minutes. Default: 20 steps. */
  readonly backOffMs?: number;
  /** Address that Services of type LoadBalancer get; default: none, they wait forever. */
  readonly loadBalancerAddress?: string;
}

/** The options with their defaults. */
export interface SimulationTimes {
  readonly stepMs: number;
  readonly backOffMs: number;
}

export const maxBackOffMs = 300_000;

export function completeTimes({ stepMs = 50, backOffMs = 20 * stepMs }: SimulationOptions): SimulationTimes {
  return { stepMs, backOffMs };
}

/** Prefix of the annotations that script what pods do. */
export const simulationPrefix = "simulation.landscaper.gardener.cloud/";

/** The node that all simulated pods run on. */
export const simulatedNode = { name: "simulated-node", address: "192.0.2.1" } as const;
