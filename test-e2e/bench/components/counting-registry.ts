import { createServer, request as send } from "node:http";

/** A registry behind another port, which counts what it is asked. */
export interface CountingRegistry {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Requests since the last call by method and what they are for: "GET manifests /v2/...". */
  take(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Passes all requests on to the registry at `host`. */
export async function startCountingRegistry(host: string): Promise<CountingRegistry> {
  let counts = new Map<string, number>();
  const server = createServer((incoming, answer) => {
    const { method = "GET", url = "/", headers } = incoming;
    const kind = /\/(manifests|blobs|tags)\//.exec(url)?.[1] ?? "other";
    const key = `${method} ${kind} ${url}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const target = new URL(url, `http://${host}`);
    const passed = send(target, { method, headers: { ...headers, host } }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    host: `127.0.0.1:${address.port}`,
    take: () => {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
