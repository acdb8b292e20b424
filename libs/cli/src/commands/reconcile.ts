import type { CommandDefinition } from "../command.ts";
import { operationOptions } from "../operate/operation-options.ts";
import { referenceSyntax, suggestReference } from "../reference-syntax.ts";

/** `landscaper reconcile`: starts a job. */
export const reconcileCommand: CommandDefinition = {
  name: "reconcile",
  summary: "start a job of a root Installation",
  argument: { syntax: referenceSyntax, description: "a root Installation: inst/NAME, or NAME alone" },
  suggestArgument: suggestReference,
  options: operationOptions,
  load: async () => (await import("../operate/run-reconcile.ts")).runReconcile,
};
