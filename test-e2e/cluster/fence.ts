// Puts a fence around a cluster with a node: refuses every connection from outside. From inside, only the allowed ports can be dialled.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { tailOf } from "./child.ts";
import { changedFenceRules, cutRules, fenceRules, restoringRules } from "./fence-rules.ts";
import { joinSockets } from "./join-sockets.ts";
import type { ClusterNode } from "./node.ts";

export interface FencedNode {
  /** Of an administrator inside: a door of the test alone, which is a socket in a folder, leads to the API server and not over the link. */
  readonly kubeconfig: string;
  /** Loses every packet between the cluster and the outside until `restore`. */
  cut(): void;
  restore(): void;
  /** Lets only these ports be dialled from inside. */
  allow(ports: readonly number[]): void;
  /** Closes the door. */
  stop(): Promise<void>;
}

const doorMs = 20_000;

/** `kubeconfig` is the administrator's, with the address of the API server that ends to be reachable. */
export async function fenceNode(
  node: ClusterNode,
  { kubeconfig, ports }: { readonly kubeconfig: string; readonly ports: readonly number[] },
): Promise<FencedNode> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-door-"));
  const path = join(folder, "socket");
  const { hostname, port } = new URL(connectionFromKubeconfig(kubeconfig, { allowFiles: true }).server);
  const script = join(import.meta.dirname, "door.ts");
  const child = node.startInNetwork("door", [process.execPath, script, path, hostname, port]);
  const apply = (rules: string): string => node.run(["bash", "-c", `nft -f - <<'END'\n${rules}END`]);
  const server = createServer((socket) => joinSockets(socket, connect(path)));
  const stop = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await waitFor(async () => await isOpen(path), { timeoutMs: doorMs, describe: () => tailOf(child.logFile) });
    apply(fenceRules({ hostAddress: node.hostAddress, ports }));
  } catch (error) {
    await stop();
    throw error;
  }
  const { port: door } = server.address() as AddressInfo; // it listens on TCP
  return {
    // The API server's certificate is for this address as well.
    kubeconfig: kubeconfig.replaceAll(`https://${hostname}:${port}`, `https://127.0.0.1:${door}`),
    cut: () => void apply(cutRules()),
    restore: () => void apply(restoringRules()),
    allow: (allowed) => void apply(changedFenceRules({ hostAddress: node.hostAddress, ports: allowed })),
    stop,
  };
}

async function isOpen(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
