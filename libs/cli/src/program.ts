import { Command } from "commander";
import { addCommands } from "./command.ts";
import type { CommandContext, CommandDefinition, CommandGroup } from "./command.ts";
import { localClusterCommand } from "./commands/local-cluster.ts";
import { renderCommand } from "./commands/render.ts";
import { spiffCommands } from "./commands/spiff.ts";
import { treeCommand } from "./commands/tree.ts";
import { versionCommand } from "./commands/version.ts";

const commands: readonly (CommandDefinition | CommandGroup)[] = [
  treeCommand,
  renderCommand,
  spiffCommands,
  localClusterCommand,
  versionCommand,
];

/** The whole command line, ready to parse. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("landscaper").description("installs software into fleets of Kubernetes clusters");
  addCommands(program, commands, context);
  return program;
}
