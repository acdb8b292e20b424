import { Command } from "commander";
import { addCommand } from "./command.ts";
import type { CommandContext, CommandDefinition } from "./command.ts";
import { localClusterCommand } from "./commands/local-cluster.ts";
import { renderCommand } from "./commands/render.ts";
import { treeCommand } from "./commands/tree.ts";
import { versionCommand } from "./commands/version.ts";

const commands: readonly CommandDefinition[] = [treeCommand, renderCommand, localClusterCommand, versionCommand];

/** The whole command line, ready to parse. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("landscaper").description("installs software into fleets of Kubernetes clusters");
  for (const command of commands) addCommand(program, command, context);
  return program;
}
