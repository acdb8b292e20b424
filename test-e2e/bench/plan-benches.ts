import { parseArgs } from "node:util";
import { explainParseError } from "../../scripts/command-line.ts";
import type { Bench, FlagName, FlagValues } from "./define-bench.ts";

export interface PlannedRun {
  readonly bench: Bench;
  readonly values: Partial<FlagValues>;
}

/** Parsed command line of a run. */
export type BenchPlan =
  | { readonly type: "help" }
  | { readonly type: "refuse"; readonly message: string }
  | {
      readonly type: "run";
      readonly runs: readonly PlannedRun[];
      /** Whether the command line names `all`. */
      readonly isAll: boolean;
      readonly isSmallest: boolean;
      readonly json: boolean;
    };

const ownOptions = {
  smallest: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const flagOptions: Readonly<Record<FlagName, { readonly type: "string" | "boolean" }>> = {
  count: { type: "string" },
  "in-flight": { type: "string" },
  rounds: { type: "string" },
  milliseconds: { type: "string" },
  type: { type: "string" },
  played: { type: "boolean" },
};

const flagNames = Object.keys(flagOptions) as FlagName[]; // the keys of the literal

/** Names of all flags of the command line. */
export const benchFlags: readonly string[] = [...Object.keys(ownOptions), ...flagNames];

class Refusal extends Error {}

/** Parses the command line of a run. Pure. */
export function planBenches(args: readonly string[], benches: readonly Bench[]): BenchPlan {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...ownOptions, ...flagOptions },
      allowPositionals: true,
    });
    if (values.help) return { type: "help" };
    const given = readFlags(values);
    const [name, ...rest] = positionals;
    const names = ["all", ...benches.map((bench) => bench.name)];
    if (name === undefined) throw new Refusal(`expected the name of a bench: ${names.join(", ")}`);
    if (rest.length > 0) throw new Refusal(`expected one bench, found ${positionals.join(", ")}`);
    if (!names.includes(name)) throw new Refusal(`unknown bench "${name}": expected ${names.join(", ")}`);
    const { smallest: isSmallest, json } = values;
    const chosen = benches.filter((bench) => name === "all" || bench.name === name);
    refuseFlags(name, name === "all" ? [] : chosen, given);
    const runs = chosen.map((bench) => ({
      bench,
      values: { ...(isSmallest ? bench.smallest : bench.full), ...given },
    }));
    return { type: "run", runs, isAll: name === "all", isSmallest, json };
  } catch (error) {
    if (error instanceof Refusal || isParseError(error)) return { type: "refuse", message: explainParseError(error) };
    throw error;
  }
}

function isParseError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

function refuseFlags(name: string, [bench]: readonly Bench[], given: Partial<FlagValues>): void {
  const known: Partial<FlagValues> = bench?.full ?? {};
  const unused = flagNames.find((flag) => flag in given && !(flag in known));
  if (unused === undefined) return;
  const has = flagNames.filter((flag) => flag in known).map((flag) => `--${flag}`);
  const flags = [...has, "--smallest", "--json"].join(", ");
  throw new Refusal(`the bench "${name}" does not use --${unused}: it has ${flags}`);
}

function readFlags(values: Partial<Record<FlagName, string | boolean>>): Partial<FlagValues> {
  const given: { -readonly [Name in FlagName]?: FlagValues[Name] } = {};
  for (const flag of ["count", "in-flight", "rounds", "milliseconds"] as const) {
    const text = values[flag];
    if (text !== undefined) given[flag] = readNumber(flag, String(text));
  }
  if (values.type !== undefined) given.type = readType(String(values.type));
  if (values.played === true) given.played = true;
  return given;
}

function readNumber(flag: FlagName, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new Refusal(`--${flag}: expected a positive integer, found "${text}"`);
}

function readType(text: string): FlagValues["type"] {
  if (text === "manifest" || text === "helm") return text;
  throw new Refusal(`--type: expected manifest or helm, found "${text}"`);
}

/**
 * Returns true if each bench gets a process of its own, so that the heap of one does not slow down the next. A single bench runs in this process. All benches at
 * their smallest size share one process and one control plane. Pure.
 */
export function runsApart({ isAll, isSmallest }: { readonly isAll: boolean; readonly isSmallest: boolean }): boolean {
  return isAll && !isSmallest;
}

/** Returns the text of --help. Pure. */
export function describeUsage(benches: readonly Bench[]): string {
  const lines = benches.map(({ name, summary, full }) => {
    const flags = Object.entries(full).map(([flag, value]) =>
      typeof value === "boolean" ? `[--${flag}]` : `[--${flag} ${value}]`,
    );
    return `  ${[name, ...flags].join(" ")}\n      ${summary}`;
  });
  return `usage: npm run bench -- NAME [flags] [--smallest] [--json]
       npm run bench -- all [--smallest] [--json]

Flags are shown with their values in a full run. --json prints the figures for machines.

${lines.join("\n")}
  all
      runs every bench, each in its own process. A bench that this machine cannot run is reported as "skipped: NAME: reason"

--smallest runs a bench at its smallest size, to show that it runs. Such figures are too small to judge: a missed budget is reported, but does not fail the run.

Exit status: 0 within the budgets (with --smallest: the bench completed), 1 if a figure misses its budget, 2 if the command line is invalid,
3 if a bench could not run or failed.`;
}
