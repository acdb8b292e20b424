// Checks that a test starts each documented command, and that a page documents each script. Part of `npm run lint`.
// usage: node scripts/documented-commands.ts
import { join } from "node:path";
import { checkCommands } from "./documented-commands/check-commands.ts";
import { readCensus } from "./documented-commands/read-census.ts";

const census = readCensus(join(import.meta.dirname, ".."));
const problems = checkCommands(census);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(
  `commands: ${census.commands.length} documented; a test starts each, unless it needs something of the reader's`,
);
