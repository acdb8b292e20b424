import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError, type Client } from "@landscaper/controller-runtime";
import { watchTree } from "../tree/watch-tree.ts";
import { UsageError } from "../usage-error.ts";
import type { DiffItem } from "./find-items.ts";
import { judgePlan, type PlanRequest } from "./judge-plan.ts";
import { requestPlan, withdrawPlan } from "./plan-request.ts";
import { readPlan, type Plan } from "./read-plan.ts";

/** What has become of one item: its plan, or why there is none. */
export type PlannedItem = DiffItem & ({ readonly plan: Plan } | { readonly problem: string });

export interface CollectOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly timeoutMs: number;
  /** As the user gave it. */
  readonly timeoutText: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly writeError: (text: string) => void;
}

/** A request that is under way, or what has become of it. */
type Pursuit =
  | { readonly type: "asked"; readonly request: PlanRequest; readonly taken: string | undefined }
  | { readonly type: "ended"; readonly result: { readonly plan: Plan } | { readonly problem: string } };

/** For what stands when the command has to end. */
const withdrawTimeoutMs = 5000;

/**
 * Asks for the plans of all items and waits for them; what is not answered is taken back. In the order of `items`. Throws UsageError
 * when the command is interrupted.
 */
export async function collectPlans(items: readonly DiffItem[], options: CollectOptions): Promise<PlannedItem[]> {
  const pursuits = new Map<DiffItem, Pursuit>();
  try {
    await ask(items, pursuits, options);
    await pursue(pursuits, options);
  } finally {
    await withdraw(pursuits, options);
  }
  return items.map((item) => ({ ...item, ...resultOf(item, pursuits.get(item), options) }));
}

async function ask(
  items: readonly DiffItem[],
  pursuits: Map<DiffItem, Pursuit>,
  options: CollectOptions,
): Promise<void> {
  const asked = await Promise.allSettled(
    items.map(async (item) => {
      const request = await requestPlan(item.item, options);
      const isRefused = typeof request === "string";
      pursuits.set(
        item,
        isRefused ? { type: "ended", result: { problem: request } } : { type: "asked", request, taken: undefined },
      );
    }),
  );
  const failed = asked.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function pursue(pursuits: Map<DiffItem, Pursuit>, options: CollectOptions): Promise<void> {
  const { client, signal, now } = options;
  const isOpen = (): boolean => [...pursuits.values()].some(({ type }) => type === "asked");
  if (!isOpen()) return;
  const until = AbortSignal.timeout(options.timeoutMs);
  for await (const { deployItems } of watchTree({ ...options, until, warn: options.writeError })) {
    const byUid = new Map(deployItems.map((item) => [item.metadata.uid, item]));
    for (const [item, pursuit] of pursuits) {
      if (pursuit.type === "ended") continue;
      const { request } = pursuit;
      const progress = judgePlan(byUid.get(request.uid), request, now());
      if (progress.type === "pending") pursuits.set(item, { ...pursuit, taken: progress.taken });
      if (progress.type === "failed") pursuits.set(item, { type: "ended", result: { problem: progress.message } });
      if (progress.type === "planned") pursuits.set(item, { type: "ended", result: await read(item, client, signal) });
    }
    if (!isOpen()) return;
  }
  if (signal.aborted) throw new UsageError("stopped waiting; what has no plan yet is not asked for any more");
}

async function read(
  { item }: DiffItem,
  client: Client,
  signal: AbortSignal,
): Promise<{ plan: Plan } | { problem: string }> {
  try {
    return { plan: await readPlan(client, item, signal) };
  } catch (error) {
    const isKnown = [UsageError, LandscaperError, ApiError, ConnectionError].some((kind) => error instanceof kind);
    if (!isKnown || !(error instanceof Error)) throw error;
    return { problem: error.message };
  }
}

/** Nobody reads these plans any more. */
async function withdraw(
  pursuits: ReadonlyMap<DiffItem, Pursuit>,
  { client, writeError }: CollectOptions,
): Promise<void> {
  const signal = AbortSignal.timeout(withdrawTimeoutMs);
  const results = await Promise.allSettled(
    [...pursuits]
      .filter(([, pursuit]) => pursuit.type === "asked" || "problem" in pursuit.result)
      .map(([{ item }]) => withdrawPlan(item, { client, signal })),
  );
  const failed = results.filter(({ status }) => status === "rejected").length;
  if (failed > 0) writeError(`warning: ${failed} of the requests could not be taken back; the plans are made later\n`);
}

function resultOf(
  { item }: DiffItem,
  pursuit: Pursuit | undefined,
  { timeoutText }: CollectOptions,
): { plan: Plan } | { problem: string } {
  if (pursuit?.type === "ended") return pursuit.result;
  const taken = pursuit?.taken;
  return {
    problem:
      taken === undefined
        ? `no deployer has answered within ${timeoutText}; does one run for type ${item.spec.type}?`
        : `the plan is not done within ${timeoutText}: ${taken}`,
  };
}
