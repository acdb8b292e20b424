import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "@landscaper/helm";
import type { CommandContext, CommandRun } from "../command.ts";
import { FlagError, type ParsedFlags } from "../flags/parse-flags.ts";
import { CommandExit, PrintedError } from "../usage-error.ts";
import { HelmFailure } from "./helm-failure.ts";

interface HelmCommand {
  readonly parse: (words: readonly string[]) => ParsedFlags;
  /** Default: 1, and 2 for a wrong command line. */
  readonly failureCode?: number;
  readonly run: (parsed: ParsedFlags, context: CommandContext) => Promise<void>;
}

/** A command with Helm's flags, whose errors are told in its form. */
export function runHelmCommand({ parse, run, failureCode }: HelmCommand): CommandRun {
  return async (input, context) => {
    try {
      const parsed = parse(input.words);
      for (const warning of parsed.warnings) context.writeError(warning);
      if (parsed.isSet("help")) context.write(input.help);
      else await run(parsed, context);
    } catch (error) {
      if (error instanceof CommandExit) throw error;
      const told = isHelms(error) ? new PrintedError(`Error: ${error.message}\n`) : error;
      throw failureCode === undefined ? told : new CommandExit(failureCode, told);
    }
  };
}

/** Hints of errors of registries speak of a Context, which there is none of here. */
function isHelms(error: unknown): error is Error {
  return (
    error instanceof FlagError ||
    error instanceof HelmFailure ||
    error instanceof ChartError ||
    error instanceof TemplateError ||
    (error instanceof LandscaperError && /^(?:Registry|Invalid(?:Chart|Reference|Registry)|Chart)/.test(error.reason))
  );
}
