import type { TransitionEvent } from "@landscaper/api";
import { readEvents, sourceOf } from "@landscaper/events";
import { flagOption, listOption, textOption, type CommandInput, type CommandRun } from "../command.ts";
import { kindOf } from "../object-reference.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { formatEvent } from "./format-event.ts";

/** `landscaper events`: reads the stream of the core. */
export const runEvents: CommandRun = async (input, context) => {
  const option = textOption(input, "nats");
  const servers = option ?? context.environment["NATS_URL"] ?? "";
  if (servers.trim() === "")
    throw new InvocationError("--nats: expected the URL of a NATS server, or the variable NATS_URL");
  const write = writerOf(input, context);
  const since = textOption(input, "since");
  const hub = hubOption(input);
  const kinds = listOption(input, "kind").map(kindOption);
  const follows = flagOption(input, "follow");
  let written = 0;
  const events = readEvents({
    servers,
    setting: option === undefined ? "NATS_URL" : "--nats",
    clientName: "landscaper-cli",
    namespace: namespaceOption(input),
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(since === undefined ? {} : { since: new Date(Math.max(0, context.now() - parseTimeout(since, "--since"))) }),
    follows,
    onUnreadable: (sequence, subject) =>
      context.writeError(
        `warning: message ${sequence} of the stream LANDSCAPER (${subject}) is not an event of Landscaper, and is skipped\n`,
      ),
    signal: context.signal,
    clock: context,
    onProblem: (problem) =>
      context.writeError(
        problem === undefined ? "note: reads events again\n" : `warning: ${problem.message} Retrying.\n`,
      ),
  });
  try {
    for await (const event of events) {
      if (hub !== undefined && event.source !== sourceOf(hub)) continue;
      written++;
      write(event);
    }
    if (written === 0 && !follows)
      context.writeError("note: found no events in the stream LANDSCAPER that match the options\n");
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("NATS servers:"))
      throw new InvocationError(`--nats: ${error.message}`);
    if (error instanceof Error && error.name === "NatsProblem") throw new UsageError(error.message, { cause: error });
    throw error;
  }
};

function writerOf(
  input: CommandInput,
  { write, writeJson }: Parameters<CommandRun>[1],
): (event: TransitionEvent) => void {
  const format = textOption(input, "output") ?? "text";
  if (format === "json") return (event) => writeJson(`${JSON.stringify(event)}\n`);
  if (format === "text") {
    let firstSource: string | undefined;
    return (event) => {
      firstSource ??= event.source;
      write(`${formatEvent(event, { namesHub: event.source !== firstSource })}\n`);
    };
  }
  throw new InvocationError(`-o: expected text or json, found "${format}"`);
}

/** Returns the option, which must be a valid name: an invalid one would select no events, without an error. */
function namespaceOption(input: CommandInput): string | undefined {
  const namespace = textOption(input, "namespace");
  if (namespace === undefined || /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) return namespace;
  throw new InvocationError(
    `-n: expected the name of a namespace, found ${JSON.stringify(namespace)}. Leave the option out to read the events of all namespaces.`,
  );
}

/** Like a namespace, an impossible id would select nothing. */
function hubOption(input: CommandInput): string | undefined {
  const hub = textOption(input, "hub");
  if (hub === undefined || /^[\w.-]{1,253}$/.test(hub)) return hub;
  throw new InvocationError(
    `--hub: expected the id of a landscaper cluster, found ${JSON.stringify(hub)}. It is the part of \`source\` after "/landscaper/".`,
  );
}

function kindOption(word: string): string {
  const kind = kindOf(word);
  if (kind === undefined)
    throw new InvocationError(
      `--kind: expected inst, exec or di, found "${word}". Repeat the option for several kinds.`,
    );
  return kind;
}
