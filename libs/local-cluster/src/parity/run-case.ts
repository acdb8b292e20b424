import { request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { normalizeAnswer } from "./normalize-answer.ts";
import type { Exchange, ParityCase, Recorded } from "./exchange.ts";

export interface Server {
  readonly url: string;
  readonly token: string;
}

const patience = { attempts: 100, pauseMs: 100 };

/** Runs a case against a server and answers what it said, normalized. */
export async function runCase(server: Server, { exchanges }: ParityCase): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  for (const exchange of exchanges) recorded.push(await runExchange(server, exchange));
  return recorded;
}

async function runExchange(server: Server, exchange: Exchange): Promise<Recorded> {
  for (let attempt = 1; ; attempt += 1) {
    const { code, body, warnings } = await send(server, exchange);
    if (exchange.until === undefined || exchange.until(body) || attempt === patience.attempts) {
      return {
        request: `${exchange.method} ${exchange.path}`,
        code,
        body: normalizeAnswer(body),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    }
    await sleep(patience.pauseMs);
  }
}

interface Reply {
  readonly code: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

function send(server: Server, exchange: Exchange): Promise<Reply> {
  const body = exchange.body === undefined ? undefined : JSON.stringify(exchange.body);
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      new URL(exchange.path, server.url),
      {
        method: exchange.method,
        rejectUnauthorized: false,
        headers: {
          Authorization: `Bearer ${server.token}`,
          Accept: exchange.accept ?? "application/json",
          "User-Agent": "parity",
          ...(body === undefined
            ? {}
            : {
                "Content-Type": exchange.contentType ?? "application/json",
                "Content-Length": Buffer.byteLength(body),
              }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ code: response.statusCode ?? 0, body: parse(text), warnings: warningsOf(response.rawHeaders) });
        });
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** node:http joins repeated Warning headers; here each stands for itself. */
function warningsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_value, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "warning");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
