import { requestsOf, type PhaseMeasure } from "../measure/measure.ts";
import type { PhaseName } from "./contract.ts";
import type { SingleJobs } from "./single-jobs.ts";
import { listOverBudget, type Figure } from "../measure/judge-figures.ts";

/** Seconds of a raw client in one phase, before the product and after it. */
export interface RawMeasure {
  readonly before: number;
  readonly after: number;
  /** Number of requests for one Installation. */
  readonly requestsEach: number;
}

export interface InstallationsPhase {
  readonly phase: PhaseName;
  readonly product: PhaseMeasure;
  /** The smallest list of requests that the contract allows. */
  readonly contract: RawMeasure;
  /** Exactly the requests of the product and of its users. */
  readonly replay: RawMeasure;
}

export interface InstallationsBenchmark {
  readonly count: number;
  readonly inFlight: number;
  readonly phases: readonly InstallationsPhase[];
  readonly single: SingleJobs;
  readonly misses: readonly string[];
}

/** At most. `toContract`: ratio to the smallest list. `peakRssMiB`: MiB with at most `count` Installations. */
const budgets = {
  toContract: 1.5,
  requestsEach: 30,
  secondsOfOne: 0.3,
  requestsOfNoOp: 12,
  peakRssMiB: { count: 500, services: { "landscaper-core": 350, "manifest-deployer": 220 } },
} as const;

/** Returns the ratio of the product's time to the mean time of a raw client. */
export function toRaw({ product }: InstallationsPhase, { before, after }: RawMeasure): number {
  return product.seconds / ((before + after) / 2);
}

/** Returns the memory peaks of the services with their budgets; none if there were more Installations than the budgets cover. */
function listMemory(count: number, phases: readonly InstallationsPhase[]): readonly Figure[] {
  const { count: largest, services } = budgets.peakRssMiB;
  if (count > largest) return [];
  return Object.entries(services).map(([name, budget]) => {
    const peaks = phases.flatMap(({ product }) => product.services.filter((service) => service.name === name));
    const most = peaks.length === 0 ? Number.NaN : Math.max(...peaks.map(({ peakRssMiB }) => peakRssMiB));
    return [`MiB of ${name}`, most, budget] as const;
  });
}

/** Returns the figures that a run of this size does not judge, each with the reason. */
export function listUnjudged({ count }: Pick<InstallationsBenchmark, "count">): string[] {
  const { count: largest } = budgets.peakRssMiB;
  return count > largest ? [`memory: judged for at most ${largest} Installations`] : [];
}

/** Returns one line per figure over its budget. */
export function listMisses({ count, phases, single }: Omit<InstallationsBenchmark, "misses">): string[] {
  return listOverBudget([
    ...phases.map((each) => {
      const what = `${each.phase} to the smallest list of requests`;
      return [what, toRaw(each, each.contract), budgets.toContract] as const;
    }),
    ...listMemory(count, phases),
    ...phases.map(
      ({ phase, product }) => [`requests each, ${phase}`, requestsOf(product) / count, budgets.requestsEach] as const,
    ),
    ["seconds of one on an idle system", single.secondsOfOne, budgets.secondsOfOne],
    ["requests of a job that changes nothing", single.requestsOfNoOp, budgets.requestsOfNoOp],
  ]);
}
