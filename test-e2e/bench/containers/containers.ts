// Measures the deployer's share of a container job: from the pickup until the Pod may start, and from the end of the Pod until the end of the job. Compares each
// job with two clients that only send requests:
//
// - "smallest list": the requests that the contract requires (./contract.ts, with the reason for each). The budget applies to this ratio.
// - "replay": exactly the requests of the deployer in its share. Any further time of the deployer is its own work.
//
// Why this is fair. Both lists come from a recording of the first job of an item with the same spec: bodies have the size and content that the deployer sends, and the
// clients send requests concurrently if the deployer did. A watch of the bench determines the share of a job, and the raw clients have no watch, which favours
// them. Jobs and raw jobs take turns, and each job is compared with the raw jobs right before and after it. Both run on the same machine under the same
// load. The bench compares the state of 20 MiB with writing and reading the same Secrets.
import { requestsOf, measurePhase, type ServiceMeasure } from "../measure/measure.ts";
import { percentile, spreadOf, type Spread } from "../measure/percentile.ts";
import { readProcessUsage, resetPeakRss } from "../measure/process-usage.ts";
import { openPlace, itemSpec, type ContainerPlace } from "./container-place.ts";
import { shareOf, watchMarks, type JobShare, type MarkWatch } from "./job-marks.ts";
import { openRawConnection, recordJob, runRawJob } from "./raw-jobs.ts";
import { measureState, type StateSpeed } from "./state-speed.ts";
import { listOverBudget } from "../measure/judge-figures.ts";

export interface ContainersBenchmark {
  /** What has run the Pods. */
  readonly place: string;
  /** Medians of the rounds. */
  readonly share: JobShare;
  /** The smallest list of requests that the contract allows. */
  readonly contract: RawShare;
  /** Exactly the requests of the deployer. */
  readonly replay: RawShare;
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

/** Result of one raw client beside the deployer's jobs. */
export interface RawShare {
  /** Medians of the rounds. */
  readonly share: JobShare;
  /** Ratio of the deployer's whole share to the share of the raw jobs beside it, in each round. */
  readonly ratio: Spread;
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

/** At most; `shareRatio` to the smallest list of requests. */
export const containerBudgets = { shareRatio: 1.5, peakMiB: 220, requestsEach: 40, stateRatio: 3 };

type Figures = Omit<ContainersBenchmark, "misses" | "place">;

export const wholeOf = ({ startMs, finishMs }: JobShare): number => startMs + finishMs;

/** The figures that have a budget. */
export type Judged = Pick<Figures, "contract" | "atOnce" | "state">;

/** Returns one line per figure over its budget. */
export function listContainerMisses({ contract, atOnce, state }: Judged): string[] {
  const { shareRatio, peakMiB, requestsEach, stateRatio } = containerBudgets;
  const stateMs = state.saveMs + state.restoreMs;
  const rawStateMs = state.rawWriteMs + state.rawReadMs;
  return listOverBudget([
    ["share of a job to the smallest list of requests", contract.ratio.median, shareRatio],
    ["MiB of the deployer at its peak", atOnce.peakMiB, peakMiB],
    ["API requests of each item", atOnce.requestsEach, requestsEach],
    ["saving and restoring a state to its Secrets raw", stateMs / rawStateMs, stateRatio],
  ]);
}

interface Bench extends ContainersOptions {
  readonly at: ContainerPlace;
  readonly marks: MarkWatch;
}

/** Number of raw jobs of each kind before and after a job. A raw job is much shorter than a job, whose Pod has to run. */
const rawJobsBeside = 2;

interface RawRun {
  readonly contract: readonly JobShare[];
  readonly replay: readonly JobShare[];
}

/** Measures jobs of the deployer and raw jobs in turn. The first job of the deployer only warms up. */
async function measureShare(bench: Bench): Promise<Pick<Figures, "share" | "contract" | "replay">> {
  const { at, marks, rounds, announce } = bench;
  const deployer = at.environment.service("container-deployer");
  const connection = openRawConnection(at);
  try {
    announce("recording the requests of a job");
    await deployer.stop();
    const recording = await recordJob(at, marks);
    await deployer.start();
    const runRaws = async (turn: string): Promise<RawRun> => {
      const raws = { contract: [] as JobShare[], replay: [] as JobShare[] };
      const common = { at, connection, recording };
      for (let number = 0; number < rawJobsBeside; number++) {
        const name = `${turn}-${number}`;
        raws.contract.push(await runRawJob({ ...common, plan: recording.contract, name: `contract-${name}` }));
        raws.replay.push(await runRawJob({ ...common, plan: recording.product, name: `replay-${name}` }));
      }
      return raws;
    };
    announce("a job to warm up");
    await runJob(bench, "single-0");
    const turns: RawRun[] = [await runRaws("0")];
    const shares: JobShare[] = [];
    for (let round = 1; round <= rounds; round++) {
      announce(`job ${round} of ${rounds}`);
      shares.push(await runJob(bench, `single-${round}`));
      turns.push(await runRaws(`${round}`));
    }
    const compare = (kind: keyof RawRun): RawShare =>
      compareWith(
        shares,
        turns.map((turn) => turn[kind]),
      );
    return { share: medianOf(shares), contract: compare("contract"), replay: compare("replay") };
  } finally {
    await connection.close();
  }
}

/** Compares each job with the raw jobs right before and after it. Pure. */
export function compareWith(shares: readonly JobShare[], turns: readonly (readonly JobShare[])[]): RawShare {
  const ratios = shares.map((share, round) => {
    const beside = [...(turns[round] ?? []), ...(turns[round + 1] ?? [])];
    return wholeOf(share) / percentile(beside.map(wholeOf), 0.5);
  });
  return { share: medianOf(turns.flat()), ratio: spreadOf(ratios) };
}

async function runJob({ at, marks }: Bench, name: string): Promise<JobShare> {
  await at.scope.create({ name, spec: itemSpec() });
  return shareOf(await marks.whenFinished(name));
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
    const { median, quartiles } = share.contract.ratio;
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
