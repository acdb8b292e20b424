import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "@landscaper/helm";
import type { CommandContext, CommandDefinition, CommandGroup } from "../command.ts";
import { FlagError, type ParsedFlags } from "../flags/parse-flags.ts";
import { diffOptions, parseDiffWords } from "../helm/diff-flags.ts";
import { HelmFailure } from "../helm/helm-failure.ts";
import { runDiff } from "../helm/run-diff.ts";
import { runTemplate } from "../helm/run-template.ts";
import { parseTemplateWords, refusalOf, templateOptions } from "../helm/template-flags.ts";
import { CommandExit, InvocationError, PrintedError } from "../usage-error.ts";

interface HelmCommand {
  readonly name: string;
  readonly summary: string;
  readonly argument: NonNullable<CommandDefinition["argument"]>;
  readonly options: CommandDefinition["options"];
  readonly parse: (words: readonly string[]) => ParsedFlags;
  /** Default: 1, and 2 for a wrong command line. */
  readonly failureCode?: number;
  readonly run: (parsed: ParsedFlags, context: CommandContext) => Promise<void>;
}

/** A command with Helm's flags, whose errors are told in its form. */
function defineHelmCommand({ parse, run, failureCode, ...definition }: HelmCommand): CommandDefinition {
  return {
    ...definition,
    readsWords: true,
    run: async (input, context) => {
      try {
        const parsed = parse(input.words);
        if (parsed.isSet("help")) context.write(input.help);
        else await run(parsed, context);
      } catch (error) {
        if (error instanceof CommandExit) throw error;
        const told = isHelms(error) ? new PrintedError(`Error: ${error.message}\n`) : error;
        throw failureCode === undefined ? told : new CommandExit(failureCode, told);
      }
    },
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

/** `landscaper helm template`: a whole chart, with the command line, output and exit codes of the original. */
const templateCommand = defineHelmCommand({
  name: "template",
  summary: "render a chart and print the manifests",
  argument: { syntax: "[words...]", description: "[NAME] CHART: the release's name, and a chart" },
  options: templateOptions,
  parse: parseTemplateWords,
  run: async (parsed, context) => {
    const refusal = refusalOf(parsed);
    if (refusal !== undefined) throw new InvocationError(refusal);
    await runTemplate(parsed, context);
  },
});

/** `landscaper helm diff`: what an upgrade would change, or what differs between revisions. */
const diffCommand = defineHelmCommand({
  name: "diff",
  summary: "show what an upgrade of an installed release to a chart would change, or what two revisions differ in",
  argument: { syntax: "[words...]", description: "RELEASE CHART, or RELEASE --revision N [N]" },
  options: diffOptions,
  parse: parseDiffWords,
  run: runDiff,
  // Differences have 1, as of `landscaper diff`.
  failureCode: 2,
});

/** `landscaper helm ...`. */
export const helmCommands: CommandGroup = {
  name: "helm",
  summary: "charts, without the helm binary",
  commands: [templateCommand, diffCommand],
};
