import type { CommandDefinition } from "../command.ts";

/** `landscaper events`: the transitions that the core publishes to NATS. */
export const eventsCommand: CommandDefinition = {
  name: "events",
  summary: "print events from NATS: transitions of Installations, Executions and DeployItems",
  options: [
    { syntax: "--nats <url>", description: "NATS server, such as nats://user:password@nats:4222 (default: NATS_URL)" },
    { syntax: "-n, --namespace <name>", description: "only events of this namespace (default: of all)" },
    { syntax: "--hub <id>", description: "only events of this landscaper cluster (default: of all in the stream)" },
    { syntax: "--kind <kind>", description: "inst, exec or di, or the whole name; may be repeated", isList: true },
    { syntax: "--since <duration>", description: 'only events of the last "1h30m" (default: all that the stream has)' },
    { syntax: "-f, --follow", description: "wait for further events" },
    { syntax: "-o, --output <format>", description: "text, or json with an event in each line (default: text)" },
  ],
  load: async () => (await import("../events/run-events.ts")).runEvents,
};
