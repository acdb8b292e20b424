import { createServer } from "node:net";

/** Loopback ports that were free a moment ago; the caller starts again with others if one was taken meanwhile. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, "127.0.0.1", resolve);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
    return address.port;
  });
  await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
