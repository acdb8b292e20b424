import type { CommandDefinition } from "../command.ts";
import { operationOptions } from "../operate/operation-options.ts";
import { referenceSyntax, suggestReference } from "../reference-syntax.ts";

/** `landscaper delete`: uninstalls and deletes. */
export const deleteCommand: CommandDefinition = {
  name: "delete",
  summary: "delete a root Installation and uninstall what it has installed",
  argument: { syntax: referenceSyntax, description: "a root Installation: inst/NAME, or NAME alone" },
  suggestArgument: suggestReference,
  options: [
    ...operationOptions,
    { syntax: "--without-uninstall", description: "leave what is installed where it is" },
    { syntax: "--ignore-successors", description: "also when other Installations import what it exports" },
  ],
  load: async () => (await import("../operate/run-delete.ts")).runDelete,
};
