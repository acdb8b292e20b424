import { configurationError } from "@landscaper/api";

/** Oldest major version of Node that services run on: those before lack the processor time of a thread, which limits go by. */
const oldestNode = 24;

/** Throws a LandscaperError where the version, such as "20.19.2", is too old. */
export function demandNode(version: string): void {
  if (Number.parseInt(version, 10) >= oldestNode) return;
  throw configurationError(`Node ${version}: expected Node ${oldestNode} or newer`, {
    hint: "in a checkout, npm run setup installs one as node_modules/node/bin/node",
  });
}
