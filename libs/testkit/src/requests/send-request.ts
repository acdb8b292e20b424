import { parseJson } from "@landscaper/json";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

/** Where requests go. Without `caPem` the server's certificate is not checked. */
export interface Server {
  readonly url: string;
  readonly token?: string | undefined;
  readonly caPem?: string | undefined;
}

export interface RequestOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With query. */
  readonly path: string;
  /** Sent as JSON; a Buffer as it is. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Reply {
  readonly code: number;
  /** Parsed when it is JSON, else the text. */
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
  readonly warnings: readonly string[];
}

/** One request on a connection of its own. Rejects when no complete answer comes. */
export function sendRequest(server: Server, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    openRequest(server, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({
          code: response.statusCode ?? 0,
          body: parse(Buffer.concat(chunks).toString()),
          headers: response.headers,
          warnings: warningsOf(response.rawHeaders),
        });
      });
    }).on("error", reject);
  });
}

/** Sends a request and hands over the answer as soon as its head is there. */
export function openRequest(
  server: Server,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
): ReturnType<typeof httpsRequest> {
  const { method, path, accept = "application/json", contentType = "application/json" } = options;
  const body = encode(options.body);
  const request = httpsRequest(
    new URL(path, server.url),
    {
      method,
      agent: false,
      ...(server.caPem === undefined ? { rejectUnauthorized: false } : { ca: server.caPem }),
      headers: {
        "User-Agent": "local-cluster-tests",
        ...options.headers,
        Accept: accept,
        ...(server.token === undefined ? {} : { Authorization: `Bearer ${server.token}` }),
        ...(body === undefined ? {} : { "Content-Type": contentType, "Content-Length": body.length }),
      },
    },
    onResponse,
  );
  request.end(body);
  return request;
}

function encode(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** node:http joins repeated Warning headers; here each stands for itself. */
function warningsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_value, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "warning");
}
