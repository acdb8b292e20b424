import type { OracleName } from "./build-oracle.ts";

/** A case with what the real engine makes of it today, and what the recording says. */
export interface AskedCase {
  readonly name: string;
  readonly recorded: unknown;
  readonly real: unknown;
  /** The case with the new result, as its file has it. */
  readonly entry: unknown;
}

/** How the cases of a library get their expected results from a real engine. */
export interface Recording {
  /** The library under libs/. */
  readonly name: string;
  /** Files with cases. */
  files(): string[];
  /** Counts the cases of a file without an engine. */
  count(file: string): number;
  /** Called once before `ask` outside of runs of tests, which have prepared the same. */
  prepare?(): void;
  /** Puts the cases of a file to the real engine; builds it when it is not there. */
  ask(file: string): AskedCase[] | Promise<AskedCase[]>;
  /** Returns why this machine does not ask the engine in a run of tests. Undefined, or returns undefined: it does. */
  absence?(): string | undefined;
  write(file: string, cases: readonly AskedCase[]): void;
  /** For files whose answers take the engine seconds of processor time; undefined for the others, which are asked in every run. See confirmations.ts. */
  costly?(file: string): CostlyFile | undefined;
}

export interface CostlyFile {
  readonly engine: OracleName;
  /** The questions and the recorded answers, as text. */
  readonly content: string;
}
