import { type Command, Option } from "commander";
import type { Output } from "./output/create-output.ts";

/** What commands may use of the outside world. */
export interface CommandContext extends Output {
  /** All of stdin, once. */
  readonly readStdin: () => Promise<string>;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Calls `callback` once after `ms`. The returned function cancels the call. */
  readonly schedule: (ms: number, callback: () => void) => () => void;
  /** Time at which the user called the command, in ms since the epoch. */
  readonly startedAt: number;
}

/** Context of all commands of a program, before one of them is called. */
export type ProgramContext = Omit<CommandContext, "startedAt">;

/** One command as data: its help, its arguments and where to find what it does. */
export interface CommandDefinition {
  readonly name: string;
  /** In commander's form, e.g. "[name]". */
  readonly argument?: { readonly syntax: string; readonly description: string };
  readonly summary: string;
  readonly options: readonly OptionDefinition[];
  /** Remedy for a command line with too many arguments. `words` are all arguments. */
  readonly suggestArgument?: (words: readonly string[]) => string | undefined;
  readonly aliases?: readonly string[];
  /** The command reads `input.words` by itself, with errors of its own; `options` only make the help. */
  readonly readsWords?: boolean;
  /** Imports what the command does with the libraries that it needs: a call pays for those of its own command only. */
  load(): Promise<CommandRun>;
}

/** What a command does. */
export type CommandRun = (input: CommandInput, context: CommandContext) => Promise<void>;

/** Commands under a common name, e.g. `landscaper spiff merge`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandDefinition[];
}

export interface OptionDefinition {
  /** In commander's form, e.g. "-n, --namespace <name>". */
  readonly syntax: string;
  readonly description: string;
  /** Whether it may be repeated, see listOption. */
  readonly isList?: boolean;
}

export interface CommandInput {
  readonly argument: string | undefined;
  /** All of them, where the syntax of the argument ends with "...". */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Everything behind the command's name, as typed. */
  readonly words: readonly string[];
  /** The help text, for commands that read their words by themselves. */
  readonly help: string;
}

/** The option as text, undefined when it was not given. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === "string" ? value : undefined;
}

/** Whether an option without a value was given. */
export function flagOption(input: CommandInput, name: string): boolean {
  return input.options[name] === true;
}

/** The values of an option that may be repeated, in their order. */
export function listOption(input: CommandInput, name: string): readonly string[] {
  const values = input.options[name];
  return typeof values === "object" ? values : [];
}

/** A program for one command line. */
export interface ProgramCall {
  readonly context: ProgramContext;
  /** Words that the user typed after the name of the program or group. */
  readonly words: readonly string[];
}

/**
 * Adds only the command that the first word names, because commander takes longer to create all commands than to parse one. If the first word
 * names no command, adds all of them, because the help and the suggestions for misspelt names need them.
 */
export function addCommands(
  program: Command,
  definitions: readonly (CommandDefinition | CommandGroup)[],
  { context, words }: ProgramCall,
): void {
  const [first = "", ...rest] = words;
  const named = definitions.find((definition) => namesOf(definition).includes(first));
  for (const definition of named === undefined ? definitions : [named]) {
    if (!("commands" in definition)) {
      addCommand(program, definition, context);
      continue;
    }
    const group = program.command(definition.name).description(definition.summary);
    group.configureOutput({ outputError: (text, write) => write(placeOption(text, definition)) });
    addCommands(group, definition.commands, { context, words: definition === named ? rest : [] });
  }
}

/** Returns commander's error text. For an option of the group's commands that precedes the command, it says where the option belongs. */
function placeOption(text: string, { name, commands }: CommandGroup): string {
  const option = /^error: unknown option '(?<option>[^'=]+)/.exec(text)?.groups?.["option"];
  if (option === undefined) return text;
  const owner = commands.find(({ options }) => options.some(({ syntax }) => isOption(new Option(syntax), option)));
  if (owner === undefined) return text;
  return `error: unknown option '${option}'\nWrite the option after the command, as in: landscaper ${name} ${owner.name} ${option}\n`;
}

function isOption({ short, long }: Option, word: string): boolean {
  return word === short || word === long;
}

function namesOf(definition: CommandDefinition | CommandGroup): readonly string[] {
  return "commands" in definition ? [definition.name] : [definition.name, ...(definition.aliases ?? [])];
}

function addCommand(program: Command, definition: CommandDefinition, context: ProgramContext): void {
  const command = program.command(definition.name).description(definition.summary);
  command.aliases(definition.aliases ?? []);
  command.configureOutput({
    outputError: (text, write) => {
      const isExcess = text.startsWith("error: too many arguments");
      const remedy = isExcess ? definition.suggestArgument?.(command.args) : undefined;
      write(remedy === undefined ? text : `${text}${remedy}\n`);
    },
  });
  if (definition.argument) command.argument(definition.argument.syntax, definition.argument.description);
  if (definition.readsWords === true) {
    command.allowUnknownOption().allowExcessArguments().helpOption(false);
    command.configureHelp({
      visibleOptions: () => definition.options.map(({ syntax, description }) => new Option(syntax, description)),
    });
  } else {
    for (const option of definition.options) addOption(command, option);
  }
  command.action(async (...args: readonly unknown[]) => {
    const startedAt = context.now();
    const argument = definition.argument && typeof args[0] === "string" ? args[0] : undefined;
    const values: readonly unknown[] = Array.isArray(args[0]) ? args[0] : [argument];
    const options = command.opts<CommandInput["options"]>();
    const input = {
      argument,
      args: values.filter((value) => typeof value === "string"),
      options,
      words: wordsOf(command),
      get help(): string {
        return command.helpInformation();
      },
    };
    const run = await definition.load();
    await run(input, { ...context, startedAt });
  });
}

function addOption(command: Command, { syntax, description, isList }: OptionDefinition): void {
  if (isList !== true) command.option(syntax, description);
  else command.option(syntax, description, appendValue);
}

function appendValue(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** What stands behind the command's name and those of its groups: commander itself drops "--". */
function wordsOf(command: Command): string[] {
  if (command.parent === null) return rawArguments(command);
  const names = [command.name(), ...command.aliases()];
  const words = wordsOf(command.parent);
  return words.slice(words.findIndex((word) => names.includes(word)) + 1);
}

/** commander keeps what it was given to parse, the program's own two words first. */
function rawArguments(program: Command): string[] {
  const words: unknown = Reflect.get(program, "rawArgs");
  return Array.isArray(words) ? words.slice(2).map(String) : [];
}
