import { writeFile } from "node:fs/promises";
import { runMain, type MainProcess } from "../run-main.ts";
import type { ProgramName } from "../service-flags.ts";
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

/** A program without arguments of its own, as its users know it. */
export interface ProgramUsage extends ProgramName {
  /** One or more sentences about what the program does, and who starts it. */
  readonly purpose: string;
}

export interface ProgramOptions {
  /** What `--help` and `--version` print; other arguments are errors. Undefined: the program reads its arguments itself. */
  readonly usage?: ProgramUsage | undefined;
  readonly process?: MainProcess & Pick<ProgramSurroundings, "env"> & { readonly argv?: readonly string[] };
  readonly terminationLog?: string;
  /** Exit code after an error of the program. Default: 1. */
  readonly exitCodeOf?: (error: unknown) => number;
}

/** Runs a program as a process, and ends the process: with 0, or with `exitCodeOf` if `program` throws. Then the reason is in /dev/termination-log and on stderr. */
export async function runProgram(
  program: (surroundings: ProgramSurroundings) => Promise<void>,
  { process: own = process, terminationLog = terminationLogPath, exitCodeOf = () => 1, usage }: ProgramOptions = {},
): Promise<void> {
  const answer = usage === undefined ? undefined : answerArguments(usage, own.argv?.slice(2) ?? []);
  if (answer !== undefined) {
    const { text, exitCode } = answer;
    (exitCode === 0 ? process.stdout : own.stderr).write(text);
    own.exit(exitCode);
    return;
  }
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

/** Returns the answer to the arguments; undefined if there are none. Pure. */
export function answerArguments(
  { name, version, purpose }: ProgramUsage,
  [word, ...others]: readonly string[],
): { readonly text: string; readonly exitCode: number } | undefined {
  if (word === undefined) return undefined;
  if (others.length === 0 && word === "--version") return { text: `${name} ${version}\n`, exitCode: 0 };
  const usage = `usage: ${name} [--help] [--version]\n\n${purpose}\n`;
  if (others.length === 0 && (word === "--help" || word === "-h")) return { text: usage, exitCode: 0 };
  return { text: `error: expected no arguments, found ${JSON.stringify(word)}\n${usage}`, exitCode: 2 };
}
