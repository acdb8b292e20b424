import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseDockerConfig, type CredentialEntry } from "@landscaper/oci";
import type { CommandContext } from "../../command.ts";
import { helmConfigFile } from "./helm-folders.ts";

/**
 * The logins of `helm registry login`, in the file that is named or Helm's own, then those of docker, as Helm looks for them. A file that is
 * not there has none; warns of logins that only a program knows. Throws LandscaperError for a file that is no such one.
 */
export function readRegistryLogins(
  file: string | undefined,
  { environment, writeError }: Pick<CommandContext, "environment" | "writeError">,
): CredentialEntry[] {
  const home = environment["HOME"] ?? homedir();
  const given = isName(file) ? file : environment["HELM_REGISTRY_CONFIG"];
  const files = [
    isName(given) ? given : helmConfigFile(environment, "registry/config.json"),
    join(isName(environment["DOCKER_CONFIG"]) ? environment["DOCKER_CONFIG"] : join(home, ".docker"), "config.json"),
  ];
  return files.flatMap((path) => {
    const text = textOf(path);
    if (text === undefined) return [];
    const { entries, warnings } = parseDockerConfig(text, { where: path });
    for (const warning of warnings) writeError(`warning: ${warning}\n`);
    return entries;
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Nobody has logged in.
    return undefined;
  }
}

function isName(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
