import { parseArgs, type ParseArgsConfig } from "node:util";

export type Flags = NonNullable<ParseArgsConfig["options"]>;

/** Usage and flags of a program. */
export interface CommandLineOptions<T extends Flags> {
  /** "usage: npm run NAME -- ...", and a line for each flag. */
  readonly usage: string;
  readonly options: T;
  /** Whether the program accepts positional arguments. */
  readonly acceptsPositionals?: boolean;
}

/**
 * Parses the command line of a script of package.json. Ends the process for `--help` (exit code 0, usage on stdout), and for unknown flags, unexpected
 * arguments and flags that npm has taken (exit code 2, error and usage on stderr).
 */
export function readCommandLine<const T extends Flags>({
  usage,
  options,
  acceptsPositionals = false,
}: CommandLineOptions<T>) {
  refuseTakenFlags(Object.keys(options), usage);
  const config = { options: { ...options, help: { type: "boolean" } }, allowPositionals: acceptsPositionals } as const;
  try {
    const parsed = parseArgs<typeof config>(config);
    if (process.argv.includes("--help")) {
      console.log(usage);
      process.exit(0);
    }
    // Widens the type: it is an empty list unless allowPositionals is literally true.
    const positionals: readonly string[] = parsed.positionals;
    return { values: parsed.values, positionals };
  } catch (error) {
    refuse(explainParseError(error), usage);
  }
}

/**
 * Returns the message for an error of `parseArgs`: "unknown flag --rouns", "--rounds: expected a value, found none". Node's own message advises the reader
 * to type a second `--`, behind the one of npm. The message of any other error stays as it is. Pure.
 */
export function explainParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '([^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) return `unknown flag ${unknown}`;
  const [, flag] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message) ?? [];
  return flag === undefined ? message : `${flag}: expected a value, found none`;
}

/** Settings of npm that a user's configuration files often have: the variable does not show that the user typed the flag. */
const settingsOfNpm: ReadonlySet<string> = new Set(["registry"]);

/**
 * Returns the message for flags of a script that the user typed without `--`: npm takes them and sets variables, and the script would run without the flags.
 * Undefined if there are none, and for a program that npm has not started. Pure.
 */
export function explainTakenFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const script = environment["npm_lifecycle_event"];
  const taken = flags.filter((flag) => {
    const value = environment[`npm_config_${flag.replaceAll("-", "_")}`] ?? "";
    return !settingsOfNpm.has(flag) && value !== "" && value !== "false";
  });
  if (script === undefined || taken.length === 0) return undefined;
  const words = taken.map((flag) => `--${flag}`);
  return `npm has taken ${words.join(", ")}: write npm run ${script} -- ${words.join(" ")}`;
}

/** Ends the process with exit code 2 if npm has taken one of the flags. */
export function refuseTakenFlags(flags: readonly string[], usage: string): void {
  const message = explainTakenFlags(flags, process.env);
  if (message !== undefined) refuse(message, usage);
}

/** Returns the result of a function that checks arguments. Refuses them with its message, after the name of the script, if it throws. */
export function readOrRefuse<T>(read: () => T, { name, usage }: { readonly name: string; readonly usage: string }): T {
  try {
    return read();
  } catch (error) {
    refuse(`${name}: ${error instanceof Error ? error.message : String(error)}`, usage);
  }
}

/** Prints the message and the usage to stderr, and ends the process with exit code 2. */
export function refuse(message: string, usage: string): never {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}
