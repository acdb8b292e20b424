import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "../find-free-ports.ts";
import { findProgram } from "../programs/find-program.ts";
import { freezeProcess } from "../programs/freeze-process.ts";
import { superviseProcess, type SupervisedProcess } from "../programs/supervise-process.ts";
import { waitFor } from "../wait-for.ts";

/** A real nats-server on loopback. Its data survives restarts. It is restarted if it crashes. */
export interface NatsServer {
  readonly url: string;
  /** Resolves when the server accepts connections. */
  start(): Promise<void>;
  /** Kills the process. */
  kill(): Promise<void>;
  /** Resolves when the process stands still, which it does until `resume`: connections stay open. */
  freeze(): Promise<void>;
  resume(): void;
  /** Lets the running server read another configuration. */
  reload(config: string): void;
  /** Kills the process, and removes the data. */
  remove(): Promise<void>;
}

/** Lines of the configuration beside address and store. */
const withJetStream = "jetstream { store_dir: $STORE }";

/** Needs the program nats-server. `$STORE` in the configuration is the folder of the server. Default: JetStream is enabled. */
export async function createNatsServer(config = withJetStream): Promise<NatsServer> {
  const [port = 0] = await findFreePorts(1);
  return createServerAt(port, config);
}

/** Three servers of one cluster. None of them runs yet. */
export async function createNatsCluster(): Promise<readonly NatsServer[]> {
  const ports = await findFreePorts(6);
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);
  return ports.slice(0, 3).map((port, index) => {
    const listen = `listen: "127.0.0.1:${ports[index + 3]}"`;
    const cluster = `cluster { name: test, ${listen}, routes: [${routes.join(", ")}] }`;
    return createServerAt(port, `server_name: "server-${index}"\n${withJetStream}\n${cluster}`);
  });
}

function createServerAt(port: number, config: string): NatsServer {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-nats-"));
  const file = join(folder, "nats.conf");
  const command = findProgram("nats-server") ?? "nats-server";
  let running: SupervisedProcess | undefined;
  const write = (text: string): void => {
    const store = JSON.stringify(join(folder, "store"));
    writeFileSync(file, `listen: "127.0.0.1:${port}"\n${text.replaceAll("$STORE", store)}\n`);
  };
  write(config);
  return {
    url: `nats://127.0.0.1:${port}`,
    start: async () => {
      const args = ["-c", file, "-l", join(folder, "nats.log")];
      // nats-server 2.9.10 sometimes exits with code 2 soon after its start on a busy machine.
      running = superviseProcess(() => spawn(command, args, { stdio: "ignore" }));
      await waitFor(() => accepts(port), { intervalMs: 20 });
    },
    kill: async () => running?.kill(),
    freeze: async () => {
      if (running?.pid !== undefined) await freezeProcess(running.pid);
    },
    resume: () => running?.signal("SIGCONT"),
    reload: (text) => {
      write(text);
      running?.signal("SIGHUP");
    },
    remove: async () => {
      await running?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
