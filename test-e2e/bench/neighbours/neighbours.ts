// Compares a healthy tenant's jobs without hostile tenants and beside them: the same jobs at the same rate on the same services, in turns on the same machine. The
// rate does not saturate two processors: otherwise the bench would mostly measure waiting for processors. Servers of hostile tenants run with the lowest priority,
// because in reality they run on other machines.
import { leasedServices, startLeasedServices } from "../../hostile/leased-services.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import type { ClusterName } from "../../src/clusters/selected-clusters.ts";
import { startDeadTargets } from "./dead-targets.ts";
import type { HostileLoad, HostilePlace } from "./hostile-load.ts";
import { compareSides, listMisses, neighbourKinds } from "./judge-sides.ts";
import type { Comparison, NeighbourKind, SideMeasure } from "./judge-sides.ts";
import { measureSide } from "./measure-side.ts";
import { startProcessorLimits } from "./processor-limits.ts";
import { startServerProcess } from "./server-process.ts";
import { runHealthyJobs } from "./healthy-jobs.ts";

export interface NeighboursOptions {
  readonly cluster: ClusterName;
  /** Healthy jobs of each kind on each side of each comparison, over all rounds. */
  readonly count: number;
  readonly rounds: number;
  /** Healthy jobs of each kind that are triggered in a second. */
  readonly perSecond: number;
  /** Items on dead targets and endless answers. */
  readonly items: number;
  /** Longest wait, in ms, for the services to become idle after each side; 0: the next side starts at once. */
  readonly settleMs: number;
  /** Only these comparisons; all by default. */
  readonly kinds?: readonly NeighbourKind[];
  readonly announce: (line: string) => void;
}

export interface NeighboursBenchmark {
  readonly cluster: ClusterName;
  readonly perSecond: number;
  readonly sides: readonly SideMeasure[];
  readonly comparisons: readonly Comparison[];
  readonly misses: readonly string[];
}

/** A job that is not done so long after its trigger counts as one that took so long. */
const limitMs = 30_000;
const warmUpJobs = 40;

/** A healthy tenant's jobs in turns without and beside hostile tenants: everything else of the machine is the same for both. */
export async function benchNeighbours(options: NeighboursOptions): Promise<NeighboursBenchmark> {
  const { cluster, count, rounds, perSecond, items, settleMs, kinds = neighbourKinds, announce } = options;
  const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
  // A process that ends is a miss, and what follows is measured all the same.
  const environment = await startEnvironment({
    cluster,
    services,
    separateTarget: false,
    logLevel: "info",
    restarts: true,
    ...leasedServices,
  });
  const servers = await startServerProcess();
  try {
    const watched = await startLeasedServices(environment);
    const starts: Readonly<Record<NeighbourKind, (place: HostilePlace) => Promise<HostileLoad>>> = {
      "dead targets": async (place) => startDeadTargets(place, { count: items, places: servers.places }),
      "processor limits": startProcessorLimits,
    };
    announce("warming the services up ...");
    const load = { environment, count: Math.min(warmUpJobs, count), perSecond, limitMs };
    await runHealthyJobs({ ...load, namespace: "warm-up" });
    const sides: SideMeasure[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [index, comparison] of kinds.entries()) {
        for (const name of ["without", "beside"] as const) {
          announce(
            `round ${round + 1} of ${rounds}: ${name === "beside" ? `beside ${comparison}` : "without neighbours"} ...`,
          );
          const namespace = `${name}-${index}-${round}`;
          const startNeighbours =
            name === "without"
              ? undefined
              : async () => starts[comparison]({ environment, prefix: `hostile-${index}-${round}` });
          const sideLoad = { ...load, namespace, count: Math.ceil(count / rounds) };
          sides.push(await measureSide({ round, comparison, startNeighbours, watched, load: sideLoad, settleMs }));
        }
      }
    }
    const comparisons = compareSides(sides, limitMs).filter(({ comparison }) => kinds.includes(comparison));
    return { cluster, perSecond, sides, comparisons, misses: listMisses(comparisons, sides) };
  } finally {
    await environment.stop();
    await servers.stop();
  }
}
