import type { CommandDefinition } from "../command.ts";
import { version } from "../version.ts";

/** `landscaper version`. */
export const versionCommand: CommandDefinition = {
  name: "version",
  summary: "print the version of this command and of its Node",
  options: [],
  run: (_input, { write }) => {
    write(`landscaper ${version} (node ${process.versions.node})\n`);
    return Promise.resolve();
  },
};
