import type { CommandDefinition } from "../command.ts";
import { rawOption } from "../output/raw-option.ts";

/** `landscaper gotemplate`: one Go template with its values, by itself or with Helm's functions and objects. */
export const gotemplateCommand: CommandDefinition = {
  name: "gotemplate",
  summary: "render a Go template with values",
  suggestArgument: () => "name the template by -f, such as: landscaper gotemplate -f FILE",
  options: [
    { syntax: "-f, --file <file>", description: "the template; - is stdin" },
    { syntax: "--values <file>", description: "YAML with values, may be repeated: later ones win", isList: true },
    { syntax: "--missingkey <mode>", description: "what a missing key gives: default, invalid, zero or error" },
    { syntax: "--helm", description: "Helm's functions and objects; the values are under .Values" },
    { syntax: "--name <name>", description: "name of the template (default: the file, with --helm in a chart t)" },
    { syntax: "--files <folder>", description: "with --helm: what .Files has, by paths below the folder" },
    { syntax: "--kube-version <version>", description: "with --helm: version of Kubernetes in .Capabilities" },
    rawOption,
  ],
  load: async () => (await import("../gotemplate/run-gotemplate.ts")).runGotemplate,
};
