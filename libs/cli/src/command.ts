import type { Command } from "commander";

/** What commands may use of the outside world. */
export interface CommandContext {
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** One command as data: its help, its arguments and what it does. */
export interface CommandDefinition {
  readonly name: string;
  /** In commander's form, e.g. "[name]". */
  readonly argument?: { readonly syntax: string; readonly description: string };
  readonly summary: string;
  readonly options: readonly OptionDefinition[];
  run(input: CommandInput, context: CommandContext): Promise<void>;
}

export interface OptionDefinition {
  /** In commander's form, e.g. "-n, --namespace <name>". */
  readonly syntax: string;
  readonly description: string;
}

export interface CommandInput {
  readonly argument: string | undefined;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The option as text, undefined when it was not given. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === "string" ? value : undefined;
}

export function addCommand(program: Command, definition: CommandDefinition, context: CommandContext): void {
  const command = program.command(definition.name).description(definition.summary);
  if (definition.argument) command.argument(definition.argument.syntax, definition.argument.description);
  for (const option of definition.options) command.option(option.syntax, option.description);
  command.action(async (...args: readonly unknown[]) => {
    const argument = definition.argument && typeof args[0] === "string" ? args[0] : undefined;
    await definition.run({ argument, options: command.opts<CommandInput["options"]>() }, context);
  });
}
