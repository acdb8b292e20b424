import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ports that kernels give to outgoing connections (Linux: from 32768) and the NodePorts, above those of kubelet and its like:
// a port that the kernel chose is in use by a connection now and then before the caller listens on it.
const firstPort = 11_000;
const endOfPorts = 30_000;
const maxTries = 200;
const given = new Set<number>();

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(firstPort, endOfPorts);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${firstPort} and ${endOfPorts - 1} in ${maxTries} tries`);
}

/** Loopback ports that were free a moment ago, each given once in this process. Throws when hardly any is free. */
export async function findFreePorts(count: number): Promise<number[]> {
  return await Promise.all(Array.from({ length: count }, findFreePort));
}
