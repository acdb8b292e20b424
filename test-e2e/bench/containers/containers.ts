import type { Pod } from "@landscaper/api";
import { requestsOf, measurePhase, type ServiceMeasure } from "../measure/measure.ts";
import { percentile, spreadOf, type Spread } from "../measure/percentile.ts";
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
  /** The deployer's whole share in each round to that of the raw jobs beside it. */
  readonly shareRatio: Spread;
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

/** Each writes 40 MiB and reads them: work of this length needs fewer rounds. */
const maxStateRounds = 5;

/** Issue "container deployer", Speed. */
export const containerBudgets = { shareRatio: 1.5, peakMiB: 220, requestsEach: 40, stateRatio: 3 };

type Figures = Omit<ContainersBenchmark, "misses" | "place">;

export const wholeOf = ({ startMs, finishMs }: JobShare): number => startMs + finishMs;

/** The figures that have a budget. */
export type Judged = Pick<Figures, "shareRatio" | "atOnce" | "state">;

/** One line per figure over its budget. */
export function listContainerMisses({ shareRatio: ratio, atOnce, state }: Judged): string[] {
  const { shareRatio, peakMiB, requestsEach, stateRatio } = containerBudgets;
  const stateMs = state.saveMs + state.restoreMs;
  const rawStateMs = state.rawWriteMs + state.rawReadMs;
  const checks: readonly (readonly [string, number, number])[] = [
    ["share of a job to the raw client", ratio.median, shareRatio],
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

/** Raw jobs on each side of a job. One takes a small part of the time of a job, whose Pod has to run. */
const rawJobsBeside = 2;

/**
 * Jobs and raw jobs take turns, and each job is compared with the raw jobs right before and after it: so both see the same machine, also when other work
 * on it comes and goes. The first job only warms up, and tells what raw jobs are to write.
 */
async function measureShare(bench: Bench): Promise<Pick<Figures, "share" | "raw" | "shareRatio">> {
  const { at, rounds, announce } = bench;
  const shares: JobShare[] = [];
  const raws: JobShare[] = [];
  const ratios: number[] = [];
  const connection = openRawConnection(at);
  try {
    announce("a job to warm up");
    const first = await runJob(bench, "single-0");
    const objects = await readJobObjects(at, "single-0", first.pod);
    const runRaw = async (name: string): Promise<JobShare> => {
      // No deployer has its type.
      const item = await at.scope.create({ name, spec: { ...itemSpec(), type: "bench.test/raw" } });
      return await runRawJob({ connection, objects, item, name });
    };
    const runRaws = async (name: string): Promise<readonly JobShare[]> => {
      const each: JobShare[] = [];
      for (let number = 0; number < rawJobsBeside; number++) each.push(await runRaw(`${name}-${number}`));
      return each;
    };
    let before = await runRaws("raw-0");
    for (let round = 1; round <= rounds; round++) {
      announce(`job ${round} of ${rounds}`);
      const { share } = await runJob(bench, `single-${round}`);
      const after = await runRaws(`raw-${round}`);
      shares.push(share);
      raws.push(...after);
      ratios.push(wholeOf(share) / percentile([...before, ...after].map(wholeOf), 0.5));
      before = after;
    }
  } finally {
    await connection.close();
  }
  return { share: medianOf(shares), raw: medianOf(raws), shareRatio: spreadOf(ratios) };
}

async function runJob({ at, marks }: Bench, name: string): Promise<{ readonly share: JobShare; readonly pod: Pod }> {
  await at.scope.create({ name, spec: itemSpec() });
  const seen = await marks.whenFinished(name);
  if (seen.pod === undefined) throw new Error(`${name}: its Pod was not seen`);
  return { share: shareOf(seen), pod: seen.pod };
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
    const { median, quartiles } = share.shareRatio;
    options.announce(
      `share of a job: ${median.toFixed(2)}x, half of them ${quartiles.map((one) => one.toFixed(2)).join(" to ")}`,
    );
    const atOnce = await measureAtOnce(bench);
    options.announce("20 MiB of state");
    const state = await measureState(at, Math.min(options.rounds, maxStateRounds));
    const figures = { ...share, atOnce, state };
    return { place: at.description, ...figures, misses: listContainerMisses(figures) };
  } finally {
    await marks.stop();
    await at.stop();
  }
}
