import { clusterOptions } from "../cluster-options.ts";
import type { OptionDefinition } from "../command.ts";

/** The options of commands that ask for a job. */
export const operationOptions: readonly OptionDefinition[] = [
  ...clusterOptions,
  { syntax: "--wait", description: "tell of the progress until the job has ended; exit code 1 when it fails" },
  {
    syntax: "--timeout <duration>",
    description: 'with --wait: give up after, such as "90s" or "1h30m" (default: never)',
  },
];
