import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../src/objects/json.ts";
import { type Server, sendRequest } from "@landscaper/testkit";
import type { Exchange, ParityCase, Recorded } from "./exchange.ts";
import { normalizeAnswer } from "./normalize-answer.ts";

/** The real Job controller waits for 10 seconds, and longer each time, before it replaces a failed pod. */
const patience = { attempts: 450, pauseMs: 100 };

/** Runs a case against a server and answers what it said, normalized. */
export async function runCase(
  server: Server,
  { exchanges, untracked, mask = (body) => body }: ParityCase,
): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  for (const exchange of exchanges) recorded.push(await runExchange(server, exchange, mask));
  return untracked === undefined ? recorded : recorded.map((answer) => ({ ...answer, body: untrack(answer.body) }));
}

/** The body without any managed fields. */
function untrack(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(untrack);
  if (!isRecord(body)) return body;
  const fields = Object.entries(body).filter(([name]) => name !== "managedFields");
  return Object.fromEntries(fields.map(([name, field]) => [name, untrack(field)]));
}

async function runExchange(server: Server, exchange: Exchange, mask: (body: unknown) => unknown): Promise<Recorded> {
  for (let attempt = 1; ; attempt += 1) {
    const { code, body, warnings } = await sendRequest(server, exchange);
    if (exchange.until === undefined || exchange.until(body) || attempt === patience.attempts) {
      return {
        request: `${exchange.method} ${exchange.path}`,
        code,
        body: normalizeAnswer(mask(body)),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    }
    await sleep(patience.pauseMs);
  }
}
