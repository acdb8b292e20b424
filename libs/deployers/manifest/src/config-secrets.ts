import { annotations, everything, parsePaths, valuesAt, type DeployItem, type JsonPath } from "@landscaper/api";
import type { DeployContext } from "@landscaper/deployer";
import {
  secretsAt,
  unknownSecrets,
  type PlanSecrets,
  type SentSecrets,
  type TargetCluster,
} from "@landscaper/resources";

/**
 * What a plan of a manifest item must not show: values that the core has called secret, and former values of fields that it once
 * called so. Everything where nobody says it, as of an item that a user has made.
 */
export function planSecretsOf({ metadata, spec }: DeployItem): PlanSecrets {
  const paths = parsePaths(metadata.annotations?.[annotations.sensitiveConfig]);
  if (paths === undefined) return unknownSecrets;
  const former = parsePaths(metadata.annotations?.[annotations.formerSensitiveConfig]) ?? [];
  return { values: valuesAt(spec.config, paths), former: [...new Set([...paths, ...former].flatMap(fieldOf))] };
}

/** The same for what a target says of the objects that it gets; undefined: everything. */
function sentSecretsOf(item: DeployItem): SentSecrets | undefined {
  const secrets = planSecretsOf(item);
  return secrets === unknownSecrets ? undefined : secretsAt(secrets.former, secrets.values);
}

/** The item's cluster. A deployer that makes manifests of something else has said itself what of them is secret. */
export async function openCluster({
  item,
  target,
}: Pick<DeployContext<unknown>, "item" | "target">): Promise<TargetCluster> {
  const cluster = await target.cluster();
  if (cluster.sentSecrets !== undefined) return cluster;
  const paths = parsePaths(item.metadata.annotations?.[annotations.sensitiveConfig]) ?? everything;
  return { ...cluster, sentSecrets: sentSecretsOf(item), itemSecrets: valuesAt(item.spec.config, paths) };
}

/** A path into the configuration as one into an object; nothing for what is not part of one. */
function fieldOf(path: JsonPath): JsonPath[] {
  if ("/manifests".startsWith(path)) return [""];
  const [, member, field = ""] =
    /^\/manifests\/\d+(?:\/(manifest|patchAfterDeployment|patchBeforeDelete|annotate\w+))?(?:\/items\/\d+)*(\/.*)?$/.exec(
      path,
    ) ?? ["", "none"];
  if (member === "none") return [];
  return [member !== undefined && member.startsWith("annotate") ? `/metadata/annotations${field}` : field];
}
