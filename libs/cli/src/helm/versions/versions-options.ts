import type { OptionDefinition } from "../../command.ts";

/** How long `landscaper helm versions` waits for the answer of one item. */
export const defaultVersionsTimeout = "1m";

/** Beside those of the cluster. */
export const versionsOptions: readonly OptionDefinition[] = [
  { syntax: "-A, --all-namespaces", description: "the items of all namespaces" },
  {
    syntax: "--helm <version>",
    description: "3 or 4: the version to compare with (default: the other one of each item)",
  },
  { syntax: "-o, --output <format>", description: "text or json (default: text)" },
  { syntax: "--exit-code", description: "exit code 1 if a switch would change something, or would fail" },
  {
    syntax: "--timeout <duration>",
    description: `how long to wait for the answer of one item (default: ${defaultVersionsTimeout})`,
  },
];
