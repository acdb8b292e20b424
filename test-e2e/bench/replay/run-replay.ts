import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import type { WriteConnection } from "../measure/write-connection.ts";
import { kindOf, type Exchange } from "./exchange.ts";
import type { PlannedExchange, ReplayGroup } from "./plan-replay.ts";
import type { Rewriter } from "./rewriter.ts";

export interface Replay {
  readonly connection: Pick<WriteConnection, "send">;
  readonly groups: readonly ReplayGroup[];
  readonly rewriter: Rewriter;
  /** Number of concurrent groups. */
  readonly inFlight: number;
}

/** Replays the requests of all groups. Resolves to the duration in ms; throws if the status of an answer differs from the recorded one. */
export async function runReplay({ connection, groups, rewriter, inFlight }: Replay): Promise<number> {
  const send = async (exchange: Exchange): Promise<void> => {
    const { method, path, contentType, requestBody } = exchange;
    const request = { method, path: rewriter.rewrite(path), contentType, body: rewriter.rewrite(requestBody) };
    const { status, body } = await connection.send(request);
    if (status !== exchange.status) throw new Error(describeDifference(exchange, { status, body }));
    rewriter.learn(exchange, body);
  };
  const began = performance.now();
  await runInParallel(groups.length, inFlight, async (index) => sendGroup(groups[index]?.exchanges ?? [], send));
  return performance.now() - began;
}

async function sendGroup(
  exchanges: readonly PlannedExchange[],
  send: (exchange: Exchange) => Promise<void>,
): Promise<void> {
  const sent: Promise<void>[] = [];
  for (const { exchange, after } of exchanges) {
    const answers = after.map(async (index) => sent[index]);
    sent.push(Promise.all(answers).then(async () => send(exchange)));
  }
  await Promise.all(sent);
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function describeDifference(exchange: Exchange, { status, body }: Answer): string {
  const { path, status: recorded } = exchange;
  const found = `found ${status}: ${body.slice(0, 300)}`;
  return `replay of ${kindOf(exchange)} (${path}): expected status ${recorded}, as recorded, ${found}`;
}
