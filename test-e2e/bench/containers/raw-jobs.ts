// Records the requests of the deployer in the first job of an item once, and replays them with a client that does nothing else.
import type { DeployItem, KubeObject } from "@landscaper/api";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import { kindOf, type Exchange } from "../replay/exchange.ts";
import { createContractPicker, planReplay, type ReplayGroup } from "../replay/plan-replay.ts";
import { openRecordedPlace } from "../replay/record-exchanges.ts";
import { createRewriter, type Rewriter } from "../replay/rewriter.ts";
import { runReplay } from "../replay/run-replay.ts";
import { itemSpec, type ContainerPlace } from "./container-place.ts";
import { finishList, startList } from "./contract.ts";
import type { JobMarks, JobShare, MarkWatch } from "./job-marks.ts";

type Part = "pickup" | "start" | "running" | "finish";

/** Requests of a job, by its parts. */
export interface RawJobPlan {
  readonly parts: Readonly<Record<Part, readonly ReplayGroup[]>>;
  readonly skipped: ReadonlyMap<string, string>;
}

export interface JobRecording {
  /** The item as it was created. */
  readonly item: DeployItem;
  /** The smallest list of requests that the contract allows. */
  readonly contract: RawJobPlan;
  /** All requests of the deployer. */
  readonly product: RawJobPlan;
  /** Reads of the Secrets that wait wrote. A raw job has no Pod that could write them. */
  readonly readsOfWait: readonly Exchange[];
}

const recordedName = "recorded";
/** Maximum delay of the bench's watch after the deployer's watch. */
const watchMs = 20;

/** Runs a job behind a proxy. The container deployer of the environment must be down. */
export async function recordJob(at: ContainerPlace, marks: MarkWatch): Promise<JobRecording> {
  const { hub } = at.environment;
  const configs = { "container-deployer": at.configuration };
  const place = await openRecordedPlace({ hub, services: ["container-deployer"], configs, inFlight: 1 });
  try {
    await at.scope.create({ name: "recorded-warm-up", spec: itemSpec() });
    await marks.whenFinished("recorded-warm-up");
    await place.take();
    const item = await at.scope.create({ name: recordedName, spec: itemSpec() });
    const seen = await marks.whenFinished(recordedName);
    return planJob(item, await place.take(), seen);
  } finally {
    await place.stop();
  }
}

/** Assigns the requests of a job to its parts. Throws if a part is missing. Pure. */
export function planJob(
  item: DeployItem,
  exchanges: readonly Exchange[],
  { podEnded = Number.NaN }: JobMarks,
): JobRecording {
  const sorted = exchanges.toSorted((a, b) => a.began - b.began);
  const pickup = sorted.findIndex((each) => kindOf(each) === "PUT deployitems/status");
  const ungate = sorted.findIndex((each) => kindOf(each) === "PATCH pods");
  const finish = sorted.findIndex(({ began }, index) => index > ungate && began >= podEnded - watchMs);
  const missing = [
    ...(pickup < 0 ? ["pickup (PUT deployitems/status)"] : []),
    ...(ungate < pickup || ungate < 0 ? ["start (PATCH pods after the pickup)"] : []),
    ...(finish < 0 ? [`finish (a request after the end of the Pod at ${podEnded} ms)`] : []),
  ];
  if (missing.length > 0) {
    const found = sorted.map((each) => `${kindOf(each)} at ${each.began} ms`).join(", ");
    throw new Error(`the recorded job has no ${missing.join(" and no ")}; its requests: ${found || "none"}`);
  }
  const toGroup = (some: readonly Exchange[]): ReplayGroup[] => planReplay(some, () => recordedName);
  const parts = {
    pickup: toGroup(sorted.slice(0, pickup + 1)),
    start: toGroup(sorted.slice(pickup + 1, ungate + 1)),
    running: toGroup(sorted.slice(ungate + 1, finish)),
    finish: toGroup(sorted.slice(finish)),
  };
  const picker = createContractPicker();
  const contract = {
    pickup: picker.pick(parts.pickup, { "PUT deployitems/status": 1 }),
    start: picker.pick(parts.start, startList),
    running: picker.pick(parts.running, {}),
    finish: picker.pick(parts.finish, finishList),
  };
  return {
    item,
    contract: { parts: contract, skipped: picker.skipped },
    product: { parts, skipped: new Map() },
    readsOfWait: sorted.slice(finish).filter((each) => kindOf(each) === "GET secrets" && each.status === 200),
  };
}

export interface RawJob {
  readonly at: ContainerPlace;
  readonly connection: WriteConnection;
  readonly recording: JobRecording;
  readonly plan: RawJobPlan;
  /** Name of its item. */
  readonly name: string;
}

/** Replays the requests of a job for a new item. */
export async function runRawJob({ at, connection, recording, plan, name }: RawJob): Promise<JobShare> {
  // No deployer serves this type.
  const item = await at.scope.create({ name, spec: { ...itemSpec(), type: "bench.test/raw" } });
  const texts = new Map([
    [recordedName, name],
    // No node matches this selector, so the Pod never runs.
    ['"restartPolicy":"Never"', '"restartPolicy":"Never","nodeSelector":{"bench.test/raw":"none"}'],
  ]);
  const rewriter = createRewriter({ texts, skipped: plan.skipped });
  rewriter.learn({ responseBody: JSON.stringify(recording.item) }, JSON.stringify(item));
  const run = async (part: Part): Promise<number> =>
    runReplay({ connection, groups: plan.parts[part], rewriter, inFlight: 1 });
  await run("pickup");
  const startMs = await run("start");
  await run("running");
  for (const { path, responseBody } of recording.readsOfWait)
    await writeAsWait(connection, rewriter, { path, responseBody });
  const finishMs = await run("finish");
  return { startMs, finishMs };
}

async function writeAsWait(
  connection: WriteConnection,
  rewriter: Rewriter,
  { path, responseBody }: Pick<Exchange, "path" | "responseBody">,
): Promise<void> {
  const read = JSON.parse(rewriter.rewrite(responseBody)) as KubeObject; // the recorded Secret
  const { name = "", namespace = "", labels = {} } = read.metadata;
  const body = JSON.stringify({ ...read, metadata: { name, namespace, labels } });
  const collection = rewriter.rewrite(path).replace(/\/[^/]*$/, "");
  // The status is ignored: a played Pod may have written the Secret already.
  await connection.send({ method: "POST", path: collection, contentType: "application/json", body });
}

export function openRawConnection({ environment: { hub } }: ContainerPlace): WriteConnection {
  // One connection for each request that the deployer had in flight concurrently.
  return openWriteConnection({ url: hub.url, ca: hub.ca, token: hub.token, inFlight: 8 });
}
