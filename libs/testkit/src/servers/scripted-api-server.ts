// A real HTTP server with scripted answers.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

export interface ScriptedApiServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The next requests get these answers, one each, in order. What comes after them gets the default. */
  script(...answers: readonly Answer[]): void;
  setDefault(answer: Answer): void;
  close(): Promise<void>;
}

export interface ScriptedApiServerOptions {
  /** PEM, for the address 127.0.0.1. Default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Listens on a port of its own on loopback. */
export async function startScriptedApiServer({ tls }: ScriptedApiServerOptions = {}): Promise<ScriptedApiServer> {
  const requests: RecordedRequest[] = [];
  const answers: Answer[] = [];
  let defaultAnswer = status({ code: 500, message: "no answer is scripted" });
  const handle: RequestListener = (message, response) => {
    void readBody(message).then((body) => {
      const url = new URL(message.url ?? "/", "http://localhost");
      const query = Object.fromEntries(url.searchParams);
      const request = { method: message.method ?? "", path: url.pathname, query, headers: message.headers, body };
      requests.push(request);
      return (answers.shift() ?? defaultAnswer)(response, request);
    });
  };
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // Listening on TCP.
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    script: (...next) => void answers.push(...next),
    setDefault: (answer) => {
      defaultAnswer = answer;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer); // No encoding is set.
  return Buffer.concat(chunks).toString("utf8");
}

export function json(value: unknown, code = 200): Answer {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
}

export interface StatusAnswer {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function status({ code, reason = "", message = "scripted", headers = {} }: StatusAnswer): Answer {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }));
  };
}

/** The connection is cut before an answer. */
export const reset: Answer = (response) => void response.socket?.destroy();

/** A watch that says these lines and then ends in good order. */
export function watchLines(...lines: readonly unknown[]): Answer {
  return (response) => {
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    response.end();
  };
}

/** A watch that says these lines and goes on for ever; `cut` breaks the connection. */
export function openWatch(...lines: readonly unknown[]): {
  readonly answer: Answer;
  say(line: unknown): void;
  cut(): void;
} {
  let open: ServerResponse | undefined;
  return {
    answer: (response) => {
      open = response;
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
      for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    },
    say: (line) => void open?.write(`${JSON.stringify(line)}\n`),
    cut: () => void open?.socket?.destroy(),
  };
}
