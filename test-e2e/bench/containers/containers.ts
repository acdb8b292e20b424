import { requestsOf, measurePhase, type ServiceMeasure } from "../measure/measure.ts";
import { percentile } from "../measure/percentile.ts";
import { readProcessUsage, resetPeakRss } from "../measure/process-usage.ts";
import { openPlace, itemSpec, type ContainerPlace } from "./container-place.ts";
import { shareOf, watchMarks, type JobShare, type MarkWatch } from "./job-marks.ts";
import { openRawConnection, readJobObjects, runRawJob } from "./raw-jobs.ts";
import { measureState, type StateSpeed } from "./state-speed.ts";

export interface ContainersBenchmark {
  /** What has run the Pods. */
  readonly place: string;
  /** Medians of the rounds. */
  readonly share: JobShare;
  readonly raw: JobShare;
  readonly atOnce: {
    readonly count: number;
    readonly seconds: number;
    readonly peakMiB: number;
    readonly requestsEach: number;
    /** Of all items, by verb and resource. */
    readonly requests: ServiceMeasure["requests"];
  };
  readonly state: StateSpeed;
  readonly misses: readonly string[];
}

export interface ContainersOptions {
  readonly place: "node" | "played";
  readonly rounds: number;
  /** Items at once. */
  readonly count: number;
  readonly announce: (line: string) => void;
}

/** Issue "container deployer", Speed. */
export const containerBudgets = { shareRatio: 1.5, peakMiB: 220, requestsEach: 40, stateRatio: 3 };

type Figures = Omit<ContainersBenchmark, "misses" | "place">;

export const wholeOf = ({ startMs, finishMs }: JobShare): number => startMs + finishMs;

/** One line per figure over its budget. */
export function listContainerMisses({ share, raw, atOnce, state }: Figures): string[] {
  const { shareRatio, peakMiB, requestsEach, stateRatio } = containerBudgets;
  const stateMs = state.saveMs + state.restoreMs;
  const rawStateMs = state.rawWriteMs + state.rawReadMs;
  const checks: readonly (readonly [string, number, number])[] = [
    ["share of a job to the raw client", wholeOf(share) / wholeOf(raw), shareRatio],
    ["MiB of the deployer at its peak", atOnce.peakMiB, peakMiB],
    ["API requests of each item", atOnce.requestsEach, requestsEach],
    ["saving and restoring a state to its Secrets raw", stateMs / rawStateMs, stateRatio],
  ];
  // What could not be measured is no success.
  return checks
    .filter(([, found, most]) => !(found <= most))
    .map(([what, found, most]) => `${what}: ${found.toFixed(2)}, at most ${most}`);
}

interface Bench extends ContainersOptions {
  readonly at: ContainerPlace;
  readonly marks: MarkWatch;
}

/** Jobs and raw jobs take turns, so that both see the same machine; the first of each only warms up. */
async function measureShare({ at, marks, rounds, announce }: Bench): Promise<Pick<Figures, "share" | "raw">> {
  const shares: JobShare[] = [];
  const raws: JobShare[] = [];
  const connection = openRawConnection(at);
  try {
    for (let round = 0; round <= rounds; round++) {
      const name = `single-${round}`;
      announce(`job ${round} of ${rounds}`);
      await at.scope.create({ name, spec: itemSpec() });
      const seen = await marks.whenFinished(name);
      if (seen.pod === undefined) throw new Error(`${name}: its Pod was not seen`);
      const objects = await readJobObjects(at, name, seen.pod);
      // No deployer has its type.
      const raw = await at.scope.create({ name: `raw-${round}`, spec: { ...itemSpec(), type: "bench.test/raw" } });
      const rawShare = await runRawJob({ connection, objects, item: raw, name: `raw-${round}` });
      if (round === 0) continue;
      shares.push(shareOf(seen));
      raws.push(rawShare);
    }
  } finally {
    await connection.close();
  }
  return { share: medianOf(shares), raw: medianOf(raws) };
}

function medianOf(shares: readonly JobShare[]): JobShare {
  const median = (of: (share: JobShare) => number): number => percentile(shares.map(of), 0.5);
  return { startMs: median(({ startMs }) => startMs), finishMs: median(({ finishMs }) => finishMs) };
}

async function measureAtOnce({ at, marks, count, announce }: Bench): Promise<ContainersBenchmark["atOnce"]> {
  announce(`${count} items at once`);
  const { pid } = at.environment.service("container-deployer").child;
  resetPeakRss(pid);
  const names = Array.from({ length: count }, (_, index) => `many-${index}`);
  const phase = await measurePhase(at.environment, "at once", async () => {
    await Promise.all(names.map(async (name) => at.scope.create({ name, spec: itemSpec() })));
    await Promise.all(names.map(async (name) => marks.whenFinished(name)));
    return [];
  });
  const services = phase.services.filter(({ name }) => name === "container-deployer");
  const requestsEach = requestsOf({ ...phase, services }) / count;
  const requests = services[0]?.requests ?? {};
  return { count, seconds: phase.seconds, peakMiB: readProcessUsage(pid).peakRssMiB, requestsEach, requests };
}

export async function benchContainers(options: ContainersOptions): Promise<ContainersBenchmark> {
  const at = await openPlace(options.place);
  const marks = watchMarks(at);
  try {
    const bench = { ...options, at, marks };
    const share = await measureShare(bench);
    const atOnce = await measureAtOnce(bench);
    options.announce("20 MiB of state");
    const state = await measureState(at, options.rounds);
    const figures = { ...share, atOnce, state };
    return { place: at.description, ...figures, misses: listContainerMisses(figures) };
  } finally {
    await marks.stop();
    await at.stop();
  }
}
