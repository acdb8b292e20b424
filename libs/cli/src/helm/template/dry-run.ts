import type { HelmVersion } from "@landscaper/helm";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { HelmFailure } from "../helm-failure.ts";
import { structuredLine } from "../words/structured-log.ts";

/** Use that `helm template` makes of a cluster. */
export interface ClusterUse {
  /** Whether `lookup` reads objects of the cluster. */
  readonly looksUp: boolean;
  /** Whether the API server validates the objects. */
  readonly validates: boolean;
}

const helm3Values = ["false", "true", "none", "client", "server"];

/** Returns the meaning of --dry-run and --validate. Throws HelmFailure in Helm's words for an invalid value. */
export function clusterUse(
  version: HelmVersion,
  parsed: ParsedFlags,
  { writeError }: Pick<CommandContext, "writeError">,
): ClusterUse {
  const dryRun = parsed.text("dry-run");
  const validates = parsed.isSet("validate");
  if (version === "3") {
    if (dryRun !== undefined && !helm3Values.includes(dryRun)) {
      throw new HelmFailure(`Invalid dry-run flag. Flag must one of the following: ${helm3Values.join(", ")}`);
    }
    return { looksUp: dryRun === "server", validates };
  }
  const isServer = isServerRun(dryRun, writeError) || validates;
  return { looksUp: isServer, validates: isServer };
}

/** Whether --dry-run of Helm 4 uses the server. Warns of deprecated values. */
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
