import type { CommandDefinition, CommandGroup } from "../command.ts";
import { diffOptions } from "../helm/diff/diff-flags.ts";
import { clusterOptions } from "../cluster-options.ts";
import { versionsOptions } from "../helm/versions/versions-options.ts";
import { templateOptions } from "../helm/template/template-flags.ts";

/** `landscaper helm template`: a whole chart, with the command line, output and exit codes of the original. */
const templateCommand: CommandDefinition = {
  name: "template",
  summary: "render a chart and print the manifests",
  argument: { syntax: "[words...]", description: "[NAME] CHART: the release's name, and a chart" },
  options: templateOptions,
  readsWords: true,
  load: async () => (await import("../helm/template/template-command.ts")).runTemplateCommand,
};

/** `landscaper helm diff`: what an upgrade would change, or what differs between revisions. */
const diffCommand: CommandDefinition = {
  name: "diff",
  summary: "show what an upgrade of an installed release to a chart would change, or what two revisions differ in",
  argument: { syntax: "[words...]", description: "RELEASE CHART, or RELEASE --revision N [N]" },
  options: diffOptions,
  readsWords: true,
  load: async () => (await import("../helm/diff/diff-command.ts")).runDiffCommand,
};

/** `landscaper helm versions`: what a switch of the version of Helm would change, for all helm items. */
const versionsCommand: CommandDefinition = {
  name: "versions",
  summary:
    "list the helm items of a hub with their version of Helm, and what a switch to the other version would change",
  options: [...clusterOptions, ...versionsOptions],
  load: async () => (await import("../helm/versions/run-versions.ts")).runVersions,
};

/** `landscaper helm ...`. */
export const helmCommands: CommandGroup = {
  name: "helm",
  summary: "charts, without the helm binary",
  commands: [templateCommand, diffCommand, versionsCommand],
};
