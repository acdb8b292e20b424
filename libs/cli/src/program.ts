import { productVersion } from "@landscaper/api";
import { Command } from "commander";
import { addCommands } from "./command.ts";
import type { CommandDefinition, CommandGroup, ProgramContext } from "./command.ts";
import { agentCommands } from "./commands/agent.ts";
import { componentCommands } from "./commands/component.ts";
import { deleteCommand } from "./commands/delete.ts";
import { diffCommand } from "./commands/diff.ts";
import { deployersCommand, environmentCommands } from "./commands/environments.ts";
import { eventsCommand } from "./commands/events.ts";
import { gotemplateCommand } from "./commands/gotemplate.ts";
import { helmCommands } from "./commands/helm.ts";
import { hubCommands } from "./commands/hub.ts";
import { installCommand } from "./commands/install.ts";
import { interruptCommand } from "./commands/interrupt.ts";
import { logsCommand } from "./commands/logs.ts";
import { localClusterCommand } from "./commands/local-cluster.ts";
import { reconcileCommand } from "./commands/reconcile.ts";
import { renderCommand } from "./commands/render.ts";
import { spiffCommands } from "./commands/spiff.ts";
import { treeCommand } from "./commands/tree.ts";
import { versionCommand } from "./commands/version.ts";
import { whyCommand } from "./commands/why.ts";

const commands: readonly (CommandDefinition | CommandGroup)[] = [
  treeCommand,
  whyCommand,
  logsCommand,
  eventsCommand,
  installCommand,
  reconcileCommand,
  interruptCommand,
  deleteCommand,
  diffCommand,
  renderCommand,
  gotemplateCommand,
  spiffCommands,
  helmCommands,
  componentCommands,
  environmentCommands,
  deployersCommand,
  agentCommands,
  hubCommands,
  localClusterCommand,
  versionCommand,
];

/**
 * Creates the program that parses `words`, which the user typed after `landscaper`. For invalid words, its methods print an explanation and throw
 * CommanderError.
 */
export function createProgram(context: ProgramContext, words: readonly string[]): Command {
  const program = new Command("landscaper")
    .description("installs software into fleets of Kubernetes clusters")
    .version(`landscaper ${productVersion}`, "--version", "print the version of this command")
    // What stands behind a command is its own: helm has a --version that means another thing.
    .enablePositionalOptions();
  program.exitOverride().configureOutput({ writeOut: context.write, writeErr: context.writeError });
  addCommands(program, commands, { context, words });
  return program;
}
