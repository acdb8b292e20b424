import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "@landscaper/helm";
import type { CommandDefinition, CommandGroup } from "../command.ts";
import { FlagError } from "../flags/parse-flags.ts";
import { HelmFailure } from "../helm/helm-failure.ts";
import { runTemplate } from "../helm/run-template.ts";
import { parseTemplateWords, refusalOf, templateOptions } from "../helm/template-flags.ts";
import { InvocationError, PrintedError } from "../usage-error.ts";

/** `landscaper helm template`: a whole chart, with the command line, output and exit codes of the original. */
const templateCommand: CommandDefinition = {
  name: "template",
  summary: "render a chart and print the manifests",
  argument: { syntax: "[words...]", description: "[NAME] CHART: the release's name, and a folder or packed chart" },
  options: templateOptions,
  readsWords: true,
  run: async (input, context) => {
    try {
      const parsed = parseTemplateWords(input.words);
      if (parsed.isSet("help")) {
        context.write(input.help);
        return;
      }
      const refusal = refusalOf(parsed);
      if (refusal !== undefined) throw new InvocationError(refusal);
      await runTemplate(parsed, context);
    } catch (error) {
      const isHelms =
        error instanceof FlagError ||
        error instanceof HelmFailure ||
        error instanceof ChartError ||
        error instanceof TemplateError;
      throw isHelms ? new PrintedError(`Error: ${error.message}\n`) : error;
    }
  },
};

/** `landscaper helm ...`. */
export const helmCommands: CommandGroup = {
  name: "helm",
  summary: "charts, without the helm binary",
  commands: [templateCommand],
};
