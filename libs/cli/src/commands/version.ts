import { productVersion } from "@landscaper/api";
import type { CommandDefinition, CommandRun } from "../command.ts";

/** `landscaper version`. */
export const versionCommand: CommandDefinition = {
  name: "version",
  summary: "print the version of this command and of its Node",
  options: [],
  load: () => Promise.resolve(printVersion),
};

function printVersion(...[, { write }]: Parameters<CommandRun>): Promise<void> {
  write(`landscaper ${productVersion} (node ${process.versions.node})\n`);
  return Promise.resolve();
}
