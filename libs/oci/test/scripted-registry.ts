import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly userAgent: string;
  readonly body: string;
}

/** A registry that answers as a test says, for what no healthy one does. */
export interface ScriptedRegistry {
  readonly host: string;
  readonly origin: string;
  readonly requests: SeenRequest[];
  stop(): Promise<void>;
}

export type Script = (request: SeenRequest, response: ServerResponse, index: number) => void;

/** With `tls` it speaks https. PEM. */
export async function startScriptedRegistry(
  script: Script,
  tls?: { readonly cert: string; readonly key: string },
): Promise<ScriptedRegistry> {
  const requests: SeenRequest[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const { method = "", url = "", headers } = request;
    const seen = { method, url, authorization: headers.authorization, userAgent: headers["user-agent"] ?? "", body };
    requests.push(seen);
    script(seen, response, requests.length - 1);
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    host,
    origin: `${tls === undefined ? "http" : "https"}://${host}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
