import { writeFile } from "node:fs/promises";
import { runMain, type MainProcess } from "../run-main.ts";
import { failureMessage } from "./failure-message.ts";

/** File from which the kubelet takes the message of a container that has ended. */
export const terminationLogPath = "/dev/termination-log";

/** The surroundings of a program that runs in a container until its work is done. */
export interface ProgramSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line for the log of the container. It holds no values of imports, targets or credentials. */
  readonly log: (line: string) => void;
  /** Aborted when the Pod is stopped. */
  readonly signal: AbortSignal;
}

export interface ProgramOptions {
  readonly process?: MainProcess & Pick<ProgramSurroundings, "env">;
  readonly terminationLog?: string;
  /** Exit code after an error of the program. Default: 1. */
  readonly exitCodeOf?: (error: unknown) => number;
}

/** Runs a program as a process, and ends the process: with 0, or with `exitCodeOf` if `program` throws. Then the reason is in /dev/termination-log and on stderr. */
export async function runProgram(
  program: (surroundings: ProgramSurroundings) => Promise<void>,
  { process: own = process, terminationLog = terminationLogPath, exitCodeOf = () => 1 }: ProgramOptions = {},
): Promise<void> {
  const log = (line: string): void => void own.stderr.write(`${line}\n`);
  let failedWith: number | undefined;
  await runMain(
    async (signal) => {
      try {
        await program({ env: own.env, log, signal });
      } catch (error) {
        failedWith = exitCodeOf(error);
        const message = failureMessage(error);
        log(message);
        await writeFile(terminationLog, message).catch(() => log(`${terminationLog} cannot be written`));
      }
    },
    {
      on: (name, listener) => own.on(name, listener),
      off: (name, listener) => own.off(name, listener),
      exit: (code) => own.exit(failedWith ?? code),
      stderr: own.stderr,
      versions: own.versions,
    },
  );
}
