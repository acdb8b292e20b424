import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { ServedPlace } from "./served.ts";

/** The process that runs all hostile servers. */
export interface ServerProcess {
  readonly places: readonly ServedPlace[];
  stop(): Promise<void>;
}

/** Starts it with the lowest priority: in the real world these servers have processors of their own, and none of ours. */
export async function startServerProcess(): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, "serve.ts"), {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const first = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  if (first === undefined) throw new Error("the process of the hostile servers ended before it had started them");
  return {
    places: first[0] as ServedPlace[], // sent by serve.ts
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
