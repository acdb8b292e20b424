import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, tailOf } from "../../cluster/child.ts";
import { findFreePorts, findProgram } from "@landscaper/testkit";

export interface NatsServer {
  readonly url: string;
  stop(): Promise<void>;
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** nats-server with JetStream on loopback; undefined when it is not installed. */
export async function startNats(): Promise<NatsServer | undefined> {
  const command = findProgram("nats-server");
  if (command === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-nats-"));
  const [port = 0] = await findFreePorts(1);
  const args = ["-js", "-a", "127.0.0.1", "-p", `${port}`, "-sd", folder];
  const child = startChild({ name: "nats-server", command, args, logFile: join(folder, "nats.log") });
  async function stop(): Promise<void> {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const deadline = Date.now() + 10_000;
  while (!(await accepts(port))) {
    if (child.ended !== undefined || Date.now() > deadline) {
      const log = tailOf(child.logFile);
      await stop();
      throw new Error(`nats-server ${child.ended ?? "does not listen after 10 s"}; its log ends with:\n${log}`);
    }
    await sleep(50);
  }
  return { url: `nats://127.0.0.1:${port}`, stop };
}
