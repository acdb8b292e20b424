import { parseArgs, type ParseArgsConfig } from "node:util";

export type Flags = NonNullable<ParseArgsConfig["options"]>;

/** What a program knows of its own call. */
export interface ProgramCall<T extends Flags> {
  /** "usage: npm run NAME -- ...", and a line for each flag. */
  readonly usage: string;
  readonly options: T;
  /** Whether it takes words without a flag. */
  readonly takesWords?: boolean;
}

/**
 * Reads the command line of a script of package.json. Ends the process after `--help` (exit code 0, usage on stdout), and for flags and words that the
 * program does not have (exit code 2, what is wrong and the usage on stderr).
 */
export function readCommandLine<const T extends Flags>({ usage, options, takesWords = false }: ProgramCall<T>) {
  const config = { options: { ...options, help: { type: "boolean" } }, allowPositionals: takesWords } as const;
  try {
    const parsed = parseArgs<typeof config>(config);
    if (process.argv.includes("--help")) {
      console.log(usage);
      process.exit(0);
    }
    // Typed as none for a call that does not say for certain that it takes words.
    const positionals: readonly string[] = parsed.positionals;
    return { values: parsed.values, positionals };
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Ends the process for words that the program cannot take: exit code 2. */
export function refuse(message: string, usage: string): never {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}
