import { annotations, joinPath, parsePaths, type DeployItem, type JsonPath } from "@landscaper/api";
import { nothingSecret, secretsBut, type SentSecrets } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import type { HelmStatus } from "../helm-status.ts";
import { formerSecretPaths } from "./secret-paths.ts";

/** Whether the core has said which values of the item are secret; everything is, where it has not. */
export function isProvenanceKnown({ metadata }: DeployItem): boolean {
  return parsePaths(metadata.annotations?.[annotations.sensitiveConfig]) !== undefined;
}

/**
 * What of the objects of a chart is secret; undefined: everything. Which fields a chart has made of which values is not known: once some are
 * secret, only what equals one of the others is not.
 */
export function sentSecretsOf(
  item: DeployItem,
  { secrets, secretPaths = [] }: HelmConfig,
  { own, status }: { readonly own: HelmConfig["values"]; readonly status: HelmStatus },
): SentSecrets | undefined {
  if (!isProvenanceKnown(item)) return undefined;
  const isPlain = secrets.length === 0 && secretPaths.length === 0 && formerSecretPaths(item, status).length === 0;
  return isPlain ? nothingSecret : secretsBut(plainLeaves(own, new Set(secretPaths)));
}

function plainLeaves(value: unknown, secretPaths: ReadonlySet<JsonPath>, path: JsonPath = ""): unknown[] {
  if (secretPaths.has(path)) return [];
  if (typeof value !== "object" || value === null) return [value];
  return Object.entries(value).flatMap(([key, member]) => plainLeaves(member, secretPaths, joinPath(path, key)));
}
