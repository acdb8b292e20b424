// Records the requests of the three phases once, and replays them with a client that does nothing else.
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import type { Environment } from "../../src/services/environment.ts";
import { openNamespace } from "../measure/open-namespace.ts";
import type { WriteConnection } from "../measure/write-connection.ts";
import { isWithin, kindOf, type Exchange } from "../replay/exchange.ts";
import { createContractPicker, findSubject, planReplay, type ReplayGroup } from "../replay/plan-replay.ts";
import { openRecordedPlace, type RecordedPlace } from "../replay/record-exchanges.ts";
import { createRewriter } from "../replay/rewriter.ts";
import { runReplay } from "../replay/run-replay.ts";
import { contractLists, phaseNames, type PhaseName } from "./contract.ts";
import { phaseWork } from "./work.ts";

type ByPhase<T> = Readonly<Record<PhaseName, T>>;

/** Requests of all Installations in each phase. */
export interface RawPlan {
  readonly groups: ByPhase<readonly ReplayGroup[]>;
  readonly skipped: ReadonlyMap<string, string>;
}

export interface Recording {
  /** The smallest list of requests that the contract allows. */
  readonly contract: RawPlan;
  /** All requests of the product and of its users. */
  readonly product: RawPlan;
}

export interface RawBench {
  readonly environment: Environment;
  readonly connection: WriteConnection;
  readonly count: number;
  readonly inFlight: number;
  readonly warmUp: boolean;
}

const subjectOf = findSubject(/\b(?:bench|value|result)-(\d+)\b/);
const recordedNamespace = "recorded";
/**
 * Whether the core adds or removes the finalizer of an object in use: it does so once for each Target, Context and Secret, whatever the number of
 * Installations (docs/reference/protection.md). The body has a resourceVersion that the replay cannot rewrite.
 */
function isOfProtection(exchange: Exchange): boolean {
  const isPatch = protectedKinds.has(kindOf(exchange));
  return isPatch && /^\{"metadata":\{"resourceVersion":"\d+","finalizers":\[[^\]]*\]\}\}$/.test(exchange.requestBody);
}

const protectedKinds: ReadonlySet<string> = new Set(["PATCH targets", "PATCH contexts", "PATCH secrets"]);

/** Installations of a round that only warms up. */
export const warmUpCount = 20;

async function recordPhases(
  { environment, inFlight }: RawBench,
  place: RecordedPlace,
  options: { readonly name: string; readonly count: number },
): Promise<ByPhase<readonly ReplayGroup[]>> {
  const { client } = environment;
  const { name, count } = options;
  const { namespace, jobs } = await openNamespace({ client, targetKubeconfig: place.targetKubeconfig }, name);
  const user = { client: place.client, connection: place.connection };
  const record = async (phase: PhaseName): Promise<readonly ReplayGroup[]> => {
    await place.take();
    await phaseWork[phase]({ ...user, inFlight, namespace, count, jobs });
    const exchanges = await place.take();
    return planReplay(
      exchanges.filter((exchange) => isWithin(namespace, exchange) && !isOfProtection(exchange)),
      subjectOf,
    );
  };
  try {
    return { create: await record("create"), update: await record("update"), delete: await record("delete") };
  } finally {
    await jobs.stop();
  }
}

/** Runs the product behind proxies. The services of the environment must be down. */
export async function recordInstallations(bench: RawBench): Promise<Recording> {
  const { environment, count, inFlight, warmUp } = bench;
  const services = ["landscaper-core", "manifest-deployer"] as const;
  const place = await openRecordedPlace({ hub: environment.hub, services, inFlight });
  try {
    // Compiled code waits less, so the recording has more concurrent requests.
    if (warmUp) await recordPhases(bench, place, { name: "recorded-warm-up", count: Math.min(warmUpCount, count) });
    const groups = await recordPhases(bench, place, { name: recordedNamespace, count });
    const picker = createContractPicker();
    const pick = (phase: PhaseName): ReplayGroup[] => picker.pick(groups[phase], contractLists[phase]);
    const contract = { create: pick("create"), update: pick("update"), delete: pick("delete") };
    return {
      contract: { groups: contract, skipped: picker.skipped },
      product: { groups, skipped: new Map() },
    };
  } finally {
    await place.stop();
  }
}

/** Replays the requests of all phases in a new namespace. Resolves to the seconds of each phase. The services must be down: they would reconcile the objects. */
export async function runRawPhases(bench: RawBench, plan: RawPlan, name: string): Promise<ByPhase<number>> {
  const { environment, connection, inFlight } = bench;
  const { namespace, jobs } = await openNamespace(environment, name);
  await jobs.stop();
  const rewriter = createRewriter({ texts: new Map([[recordedNamespace, namespace]]), skipped: plan.skipped });
  const seconds = { create: 0, update: 0, delete: 0 };
  for (const phase of phaseNames) {
    seconds[phase] = (await runReplay({ connection, groups: plan.groups[phase], rewriter, inFlight })) / 1000;
  }
  await untilCollected(environment, namespace);
  return seconds;
}

/** Waits until the garbage collector has deleted the objects of the Installations: its requests would disturb the next measure. */
export async function untilCollected({ client }: Environment, namespace: string): Promise<void> {
  const isCollected = async (): Promise<boolean> => {
    const { items } = await client.list(resources.dataObject, { namespace });
    return items.every(({ metadata }) => metadata.ownerReferences === undefined);
  };
  await waitFor(isCollected, { timeoutMs: 300_000, intervalMs: 200 });
}
