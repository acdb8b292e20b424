import type { HelmVersion } from "@landscaper/helm";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { HelmFailure } from "../helm-failure.ts";
import { structuredLine } from "../words/structured-log.ts";

/** What `helm template` asks a cluster for. */
export interface ClusterUse {
  /** Whether `lookup` is answered. */
  readonly looksUp: boolean;
  /** Whether the cluster says if it would accept the objects. */
  readonly validates: boolean;
}

const values3 = ["false", "true", "none", "client", "server"];

/** Returns what the flags --dry-run and --validate mean. Throws HelmFailure in Helm's words for a wrong value. */
export function clusterUse(
  version: HelmVersion,
  parsed: ParsedFlags,
  { writeError }: Pick<CommandContext, "writeError">,
): ClusterUse {
  const dryRun = parsed.text("dry-run");
  const validates = parsed.isSet("validate");
  if (version === "3") {
    if (dryRun !== undefined && !values3.includes(dryRun)) {
      throw new HelmFailure(`Invalid dry-run flag. Flag must one of the following: ${values3.join(", ")}`);
    }
    return { looksUp: dryRun === "server", validates };
  }
  const isServer = isServerRun(dryRun, writeError) || validates;
  return { looksUp: isServer, validates: isServer };
}

/** Helm 4: a dry run on the server also validates, and booleans are deprecated. */
function isServerRun(dryRun: string | undefined, writeError: CommandContext["writeError"]): boolean {
  switch (dryRun) {
    case undefined:
    case "client":
      return false;
    case "server":
      return true;
    case "unset":
      writeError(structuredLine("WARN", "--dry-run is deprecated and should be replaced with '--dry-run=client'"));
      return false;
    case "true":
      writeError(
        structuredLine(
          "WARN",
          "boolean '--dry-run=true' flag is deprecated and must be replaced with '--dry-run=client'",
        ),
      );
      return false;
    case "none":
    case "false":
      throw new HelmFailure(`invalid dry-run value ("${dryRun}"). Must be "server" or "client"`);
    default:
      throw new HelmFailure(`invalid dry-run value ("${dryRun}"). Must be "none", "server", or "client"`);
  }
}
