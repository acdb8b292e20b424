// Creates, updates and deletes many Installations on the real API server. Compares each phase with two clients that only send requests:
//
// - "smallest list": the requests that the contract requires (./contract.ts, with the reason for each). Any implementation has to send them, so a better
//   implementation could save at most the remaining time of the product. The budget applies to this ratio.
// - "replay": the requests of the product and its users, Events and reads included, except those that add or remove the finalizer of a Target, Context or Secret in use. The remaining time of the product is its own work:
//   rendering, decisions, waiting for watches.
//
// Why this is fair. Both lists come from one recording of the same phases, with the product behind proxies: bodies have the size and content that the product
// sends. A raw client waits for an answer if the product had received it before the next request (../replay/plan-replay.ts). All contenders use the same API
// server, the same number of Installations in flight, and their own namespaces. The garbage collector finishes before the next measure begins. Raw clients
// run before and after the product, so that drift of the machine cancels out. The measured product reaches the API server without proxies. Raw clients do not
// replay watches, which favours them.
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { openNamespace } from "../measure/open-namespace.ts";
import type { PhaseMeasure } from "../measure/measure.ts";
import { measurePhase } from "../measure/measure.ts";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import { contractCount, phaseNames, type PhaseName } from "./contract.ts";
import { listMisses, type InstallationsBenchmark, type RawMeasure } from "./judge-installations.ts";
import { recordInstallations, runRawPhases, untilCollected, warmUpCount, type RawPlan } from "./raw-phases.ts";
import { measureSingleJobs } from "./single-jobs.ts";
import { phaseWork } from "./work.ts";

export interface BenchmarkOptions {
  readonly count: number;
  readonly inFlight: number;
  /** Whether uncounted turns of product and raw clients come first. */
  readonly warmUp: boolean;
  /** Default: "real". */
  readonly cluster?: "real" | "embedded";
  readonly announce: (line: string) => void;
}

interface Bench extends BenchmarkOptions {
  readonly environment: Environment;
  readonly connection: WriteConnection;
}

async function runPhases(bench: Bench, name: string, count: number): Promise<Record<PhaseName, PhaseMeasure>> {
  const { environment, connection, inFlight, announce } = bench;
  const { namespace, jobs } = await openNamespace(environment, name);
  const measure = async (phase: PhaseName): Promise<PhaseMeasure> => {
    announce(`${phase} ${count} Installations ...`);
    const work = { client: environment.client, connection, inFlight, namespace, count, jobs };
    return await measurePhase(environment, phase, async () => phaseWork[phase](work));
  };
  try {
    const phases = {
      create: await measure("create"),
      update: await measure("update"),
      delete: await measure("delete"),
    };
    await untilCollected(environment, namespace);
    return phases;
  } finally {
    await jobs.stop();
  }
}

const stopServices = async ({ services }: Environment): Promise<unknown> =>
  Promise.all(services.map(async (service) => service.stop()));

async function run(bench: Bench): Promise<InstallationsBenchmark> {
  const { environment, count, inFlight, warmUp, announce } = bench;
  await stopServices(environment);
  announce("recording the requests ...");
  const { contract, product } = await recordInstallations(bench);
  const runRaw = async (turn: string) => {
    announce(`raw clients, ${count} Installations ...`);
    return {
      contract: await runRawPhases(bench, contract, `contract-${turn}`),
      product: await runRawPhases(bench, product, `replay-${turn}`),
    };
  };
  if (warmUp) await runRaw("warm-up");
  const before = await runRaw("before");
  await Promise.all(environment.services.map(async (service) => service.start()));
  if (warmUp) {
    announce("warming the services up ...");
    await runPhases({ ...bench, announce: () => undefined }, "warm-up", Math.min(warmUpCount, count));
  }
  announce("jobs one after the other ...");
  const single = await measureSingleJobs(environment);
  const phases = await runPhases(bench, "measured", count);
  await stopServices(environment);
  const after = await runRaw("after");
  const rawOf = (kind: "contract" | "product", phase: PhaseName, requestsEach: number): RawMeasure => ({
    before: before[kind][phase],
    after: after[kind][phase],
    requestsEach,
  });
  const measured = {
    count,
    inFlight,
    single,
    phases: phaseNames.map((phase) => ({
      phase,
      product: phases[phase],
      contract: rawOf("contract", phase, contractCount(phase)),
      replay: rawOf("product", phase, countRequests(product, phase) / count),
    })),
  };
  return { ...measured, misses: listMisses(measured) };
}

function countRequests({ groups }: RawPlan, phase: PhaseName): number {
  return groups[phase].reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}

/** Creates, updates and deletes `count` Installations, and compares the product with raw clients on the same API server. */
export async function benchInstallations(options: BenchmarkOptions): Promise<InstallationsBenchmark> {
  const { cluster = "real", inFlight } = options;
  const services = ["landscaper-core", "manifest-deployer"] as const;
  const environment = await startEnvironment({ cluster, services, separateTarget: false, logLevel: "info" });
  const { url, ca, token } = environment.hub;
  const connection = openWriteConnection({ url, ca, token, inFlight });
  try {
    return await run({ ...options, environment, connection });
  } finally {
    await connection.close();
    await environment.stop();
  }
}
