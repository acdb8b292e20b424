import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition } from "../command.ts";
import { defaultTimeout } from "../diff/default-timeout.ts";

/** `landscaper diff`: what a job would change on the targets. */
export const diffCommand: CommandDefinition = {
  name: "diff",
  summary: "show what a job would change on the target of a deploy item, or of all of an Installation",
  argument: { syntax: "<kind/name>", description: "inst/NAME or di/NAME; NAME alone where only one kind has it" },
  options: [
    ...clusterOptions,
    { syntax: "-o, --output <format>", description: "text or json (default: text)" },
    { syntax: "--timeout <duration>", description: `how long to wait for the deployers (default: ${defaultTimeout})` },
  ],
  load: async () => (await import("../diff/run-diff.ts")).runDiff,
};
