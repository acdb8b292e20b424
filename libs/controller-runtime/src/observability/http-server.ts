import { configurationError } from "@landscaper/api";
import { textMember } from "../error-members.ts";
import type { Metrics } from "./create-metrics.ts";

export interface HttpServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** Default: all addresses, for the probes of the kubelet. */
  readonly host?: string | undefined;
  /** Why the process is not ready; undefined when it is. */
  readonly notReady: () => string | undefined;
  /** Lines that `/readyz?verbose` adds. They do not affect readiness. */
  readonly notes?: (() => readonly string[]) | undefined;
  readonly metrics?: Metrics | undefined;
}

export interface HttpServer {
  /** E.g. "http://127.0.0.1:8080". */
  readonly url: string;
  close(): Promise<void>;
}

/** /healthz (the event loop turns), /readyz (the caches are filled), /metrics. Loads fastify when called, not when imported. Throws LandscaperError if the port is not free. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { default: fastify } = await import("fastify");
  // Probes and scrapers keep connections open; they must not hold up a stop.
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/readyz", async (request, reply) => {
    const reason = options.notReady();
    const notes = new URL(request.url, "http://localhost").searchParams.has("verbose") ? (options.notes?.() ?? []) : [];
    return reply
      .code(reason === undefined ? 200 : 503)
      .type("text/plain")
      .send(`${[reason ?? "ok", ...notes].join("\n")}\n`);
  });
  const { metrics } = options;
  if (metrics !== undefined) {
    app.get("/metrics", async (_request, reply) => {
      const { contentType, text } = await metrics.render();
      return reply.header("content-type", contentType).send(text);
    });
  }
  const host = options.host ?? "0.0.0.0";
  try {
    await app.listen({ port: options.port, host });
  } catch (error) {
    throw explainListenError(error, options.port);
  }
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return { url: `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`, close: () => app.close() };
}

/** Problems of the port that the user can solve, by the code of the system. */
const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "which is already in use",
  EACCES: "which this user must not open",
};

function explainListenError(error: unknown, port: number): unknown {
  const problem = portProblems[textMember(error, "code") ?? ""];
  if (problem === undefined) return error;
  return configurationError(
    `--metrics-port (metrics.port of the core's configuration): expected a free port, found ${port}, ${problem}`,
    { cause: error },
  );
}
