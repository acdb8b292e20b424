import { Agent, createServer, request as httpsRequest } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { once } from "node:events";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createKubeconfig } from "../clusters/create-kubeconfig.ts";
import { findFreePorts } from "../find-free-ports.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";
import { isJobWrite, noFaults } from "./fault-plan.ts";

export interface ApiProxyOptions {
  /** The API server behind the proxy. */
  readonly upstream: { readonly url: string; readonly ca: string | undefined };
  /** Bearer token for `kubeconfig`; the proxy itself only passes on what it gets. */
  readonly token: string;
  /** Called with every answer of the API server that is passed on, except those of watches. */
  readonly onAnswer?: (answer: PassedAnswer) => void;
}

export interface PassedAnswer {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
  readonly userAgent: string;
  readonly request: PassedRequest;
  /** Time of the end of the answer, by performance.now(). */
  readonly ended: number;
}

/** A passed request without its method and path. */
export interface PassedRequest {
  readonly body: string;
  readonly contentType: string;
  /** Time of the arrival, by performance.now(). */
  readonly began: number;
}

/** An HTTPS proxy between one process and the API server that can do to it what networks and API servers do. */
export interface ApiProxy {
  readonly url: string;
  /** For the process: server is the proxy. */
  readonly kubeconfig: string;
  /** The same for another bearer token: the proxy passes on what it gets. */
  kubeconfigFor(token: string): string;
  /** Counted writes since the last `setPlan`; those that were refused or answered by the proxy count as well. */
  readonly writes: number;
  /** "METHOD path" of the counted writes, for messages. */
  readonly writeLog: readonly string[];
  /** Resets the count. */
  setPlan(plan: FaultPlan): void;
  /** Breaks every connection; while away, new ones are refused. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Ends the answers of all running watches in the middle; how many there were. */
  cutWatches(): number;
  /** From now on requests are carried out, and their answers wait until the returned function is called; watches go on. */
  holdAnswers(): () => void;
  /** How many requests have come. */
  readonly requests: number;
  stop(): Promise<void>;
}

const reasons: Record<number, string> = { 409: "Conflict", 429: "TooManyRequests", 500: "InternalError" };

function statusObject(status: number, retryAfterSeconds: number | undefined): string {
  const reason = reasons[status] ?? "InternalError";
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  return JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `answered ${status} by the fault suite`,
    reason,
    code: status,
    ...details,
  });
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array)); // a stream without encoding yields bytes
  return Buffer.concat(chunks);
}

function isWatch(path: string): boolean {
  return /[?&]watch=(true|1)(&|$)/.test(path);
}

export async function startApiProxy({ upstream, token, onAnswer }: ApiProxyOptions): Promise<ApiProxy> {
  const authority = createCertificateAuthority("landscaper-faults", Date.now);
  const { cert, key } = authority.issue({ commonName: "proxy", hosts: ["127.0.0.1", "localhost"] });
  const [port = 0] = await findFreePorts(1);
  const url = `https://127.0.0.1:${port}`;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 512,
    ...(upstream.ca === undefined ? {} : { ca: upstream.ca }),
  });
  const target = new URL(upstream.url);
  const sockets = new Set<Socket>();
  const watches = new Set<ServerResponse>();
  let plan: FaultPlan = noFaults;
  let writeLog: string[] = [];
  /** From the strike until the process is dead: nothing it sends reaches the API server any more. */
  let striking = false;
  let requests = 0;
  let held: Promise<void> | undefined;

  async function forward(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const headers = { ...incoming.headers, host: target.host };
    const outgoing = httpsRequest({
      agent,
      host: target.hostname,
      port: target.port === "" ? 443 : target.port,
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers,
    });
    // Also after the answer has begun; before, `once` rejects.
    outgoing.on("error", () => undefined);
    outgoing.end(body);
    const [response] = (await once(outgoing, "response")) as [IncomingMessage]; // the event's only argument
    return response;
  }

  async function relayWhole(answer: IncomingMessage, response: ServerResponse, request: PassedRequest): Promise<void> {
    const body = await readAll(answer);
    const { method = "", url: path = "", headers } = response.req;
    const status = answer.statusCode ?? 502;
    const userAgent = headers["user-agent"] ?? "";
    onAnswer?.({ method, path, status, body: body.toString(), userAgent, request, ended: performance.now() });
    await held;
    response.writeHead(status, answer.headers);
    response.end(body);
  }

  async function relay(answer: IncomingMessage, response: ServerResponse, request: PassedRequest): Promise<void> {
    if (!isWatch(response.req.url ?? "")) {
      await relayWhole(answer, response, request);
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    watches.add(response);
    response.once("close", () => {
      watches.delete(response);
      // A reader that leaves must not keep the watch behind the proxy open.
      answer.destroy();
    });
    answer.once("error", () => response.destroy());
    answer.pipe(response);
  }

  async function perform(fault: Fault, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (fault.type === "refuse") {
      incoming.socket.destroy();
      return;
    }
    if (fault.type === "answer") {
      incoming.resume();
      const retryAfter = fault.retryAfterSeconds === undefined ? {} : { "retry-after": `${fault.retryAfterSeconds}` };
      response.writeHead(fault.status, { "content-type": "application/json", ...retryAfter });
      response.end(statusObject(fault.status, fault.retryAfterSeconds));
      return;
    }
    if (fault.type === "strike") striking = true;
    const began = performance.now();
    const sent = await readAll(incoming);
    const request = { body: sent.toString(), contentType: incoming.headers["content-type"] ?? "", began };
    const answer = await forward(incoming, sent);
    switch (fault.type) {
      case "pass":
        await relay(answer, response, request);
        return;
      case "rewrite": {
        const body = fault.rewrite((await readAll(answer)).toString());
        const { "content-length": _, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, headers);
        response.end(body);
        return;
      }
      case "lose-answer":
        await readAll(answer);
        incoming.socket.destroy();
        return;
      case "strike":
        if (fault.answered) {
          await relay(answer, response, request);
          await once(response, "close").catch(() => undefined);
        } else {
          await readAll(answer);
        }
        await fault.run();
        incoming.socket.destroy();
        striking = false;
    }
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    requests += 1;
    if (striking) {
      incoming.socket.destroy();
      return;
    }
    const counted = isJobWrite(method, path);
    if (counted) writeLog.push(`${method} ${path}`);
    const fault = plan({ method, path, write: counted ? writeLog.length : 0 });
    try {
      await perform(fault, incoming, response);
    } catch {
      // The API server is gone or the process left: both look the same to the process, a broken connection.
      incoming.socket.destroy();
    }
  }

  const kubeconfigFor = (bearer: string): string =>
    createKubeconfig({ name: "proxy", server: url, ca: authority.cert, user: { token: bearer } });
  const server = createServer({ cert, key }, (incoming, response) => void handle(incoming, response));
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  }
  // Also those whose handshake is not done: closing the server waits for them.
  server.on("connection", track);
  server.on("secureConnection", track);
  server.on("tlsClientError", () => undefined);

  async function listen(): Promise<void> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await closed;
  }

  await listen();
  return {
    url,
    kubeconfig: kubeconfigFor(token),
    kubeconfigFor,
    get writes() {
      return writeLog.length;
    },
    get writeLog() {
      return writeLog;
    },
    setPlan(next) {
      plan = next;
      writeLog = [];
    },
    holdAnswers() {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = undefined;
        release();
      };
    },
    get requests() {
      return requests;
    },
    goAway: close,
    comeBack: listen,
    cutWatches() {
      const count = watches.size;
      for (const watch of watches) watch.destroy();
      return count;
    },
    async stop() {
      if (server.listening) await close();
      agent.destroy();
    },
  };
}
