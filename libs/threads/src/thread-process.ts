import { fork, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { setPriority } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { FromThread, ToThread } from "./messages.ts";
import { readProcessUsage, type ProcessUsage } from "./process-usage.ts";
import { maxResultBytesVariable } from "./serve-tasks.ts";

export interface ThreadProcessOptions {
  readonly entry: URL;
  readonly name: string;
  readonly memoryMiB: number;
  readonly maxResultBytes: number;
  readonly onMessage: (message: FromThread) => void;
  /** The process is gone, unless `end` was called. */
  readonly onExit: (exit: ProcessExit) => void;
}

export interface ProcessExit {
  /** `memory`: out of memory; `crash`: any other end by a signal. */
  readonly kind: "memory" | "crash" | "exit";
  /** For the log of whoever has started the thread. */
  readonly message: string;
}

/** Twice this is what V8 keeps for young objects, beside what `memoryMiB` limits; more would only keep more garbage. */
const semiSpaceMiB = 8;
/** KiB of the 8 MiB that systems give a main thread; V8 takes 984 when it is not told. */
const stackKiB = 3900;
/** What V8 (SIGABRT) and the kernel (SIGKILL) do to a process without memory. */
const memorySignals: ReadonlySet<string> = new Set(["SIGABRT", "SIGKILL"]);
/** Of what a process writes before it ends, for an entry that cannot even be loaded. */
const maxStderrLength = 2000;

/**
 * A thread ends when this process has closed its channel; one that is paused or works without an end does not see it. Where the kernel can be told to end
 * it, it is. In a container it does so anyway.
 */
const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));

/** The process behind a thread of the pool. It does not keep this process alive unless it is referenced. */
export class ThreadProcess {
  readonly #child: ChildProcess;
  #isEnded = false;
  #stderr = "";

  constructor({ entry, name, memoryMiB, maxResultBytes, onMessage, onExit }: ThreadProcessOptions) {
    this.#child = fork(fileURLToPath(entry), [], {
      serialization: "advanced",
      // Nothing else of the environment is needed, and some of it may be secret.
      env: { [maxResultBytesVariable]: String(maxResultBytes), ...compileCache() },
      ...(setpriv === undefined ? {} : { execPath: setpriv }),
      execArgv: [
        ...(setpriv === undefined ? [] : ["--pdeathsig", "KILL", "--", process.execPath]),
        `--title=${name}`,
        `--max-old-space-size=${memoryMiB}`,
        `--max-semi-space-size=${semiSpaceMiB}`,
        `--stack-size=${stackKiB}`,
        "--disable-warning=ExperimentalWarning",
      ],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.on("message", (message) => {
      // The channel is between us and serveTasks.
      if (!this.#isEnded) onMessage(message as FromThread);
    });
    const exit = (found: ProcessExit): void => {
      if (this.#isEnded) return;
      this.#isEnded = true;
      onExit(found);
    };
    this.#child.on("error", (error) => exit({ kind: "exit", message: error.message }));
    this.#child.on("exit", (code, signal) => exit(describeExit(code, signal, this.#stderr)));
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-maxStderrLength);
    });
    this.unref();
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    // A pipe is a socket, which its type does not say.
    const { stderr } = this.#child;
    if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  }

  /** What cannot be sent is the end of the process, which is told by itself. */
  send(message: ToThread): void {
    this.#child.send(message, () => undefined);
  }

  usage(): ProcessUsage | undefined {
    const { pid } = this.#child;
    return pid === undefined ? undefined : readProcessUsage(pid);
  }

  /** Stops it wherever it is, until `resume`. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Where the system knows priorities; it cannot be raised again. */
  lowerPriority(priority: number): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    for (const id of listKernelThreads(pid)) {
      try {
        setPriority(id, priority);
      } catch {
        // It has just ended.
      }
    }
  }

  /** At once, whatever it does. */
  async end(): Promise<void> {
    this.#isEnded = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    // Not referenced, it would not be waited for.
    this.#child.ref();
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }
}

/** Linux has a priority for each kernel thread; those that collect garbage work as much as the first. */
function listKernelThreads(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

function describeExit(code: number | null, signal: string | null, stderr: string): ProcessExit {
  if (signal === null) {
    const trace = stderr === "" ? "" : `: ${stderr}`;
    return { kind: "exit", message: `a thread has ended with exit code ${code ?? "unknown"}${trace}` };
  }
  return { kind: memorySignals.has(signal) ? "memory" : "crash", message: `a thread was ended by ${signal}` };
}

/** Where this process keeps compiled code, if it does: the thread starts in less than half of the time with it. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
