import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../../command.ts";

/** A file of Helm's configuration: below HELM_CONFIG_HOME, or the user's folder of configuration. */
export function helmConfigFile(environment: CommandContext["environment"], path: string): string {
  const own = environment["HELM_CONFIG_HOME"] ?? "";
  if (own !== "") return join(own, path);
  const config = environment["XDG_CONFIG_HOME"] ?? "";
  return join(config === "" ? join(environment["HOME"] ?? homedir(), ".config") : config, "helm", path);
}
