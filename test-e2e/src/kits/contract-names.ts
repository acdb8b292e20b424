// Names and keys of the contract, spelled out again for suites that are to know nothing of our code.
import { createHash } from "node:crypto";

const group = "landscaper.gardener.cloud";

export const finalizer = `finalizer.${group}`;
export const operation = `${group}/operation`;
export const reconcile = { [operation]: "reconcile" };
export const reconcileIfChanged = { [`${group}/reconcile-if-changed`]: "true" };
export const deleteWithoutUninstall = { [`${group}/delete-without-uninstall`]: "true" };
export const deleteIgnoreSuccessors = { [`${group}/delete-ignore-successors`]: "true" };
export const subinstallationName = `${group}/subinstallation-name`;
export const encompassedBy = `${group}/encompassed-by`;
export const deployerType = `${group}/deployer-type`;
export const deployerTargetName = `${group}/deployer-target-name`;
export const managedBy = `execution.${group}/managed-by`;
export const managedName = `execution.${group}/name`;
export const dependsOn = `execution.${group}/dependsOn`;
export const data = {
  context: `data.${group}/context`,
  key: `data.${group}/key`,
  source: `data.${group}/source`,
  sourceType: `data.${group}/sourceType`,
  index: `data.${group}/index`,
  targetMapKey: `data.${group}/targetmapkey`,
  jobID: `data.${group}/jobid`,
  hash: `data.${group}/hash`,
} as const;

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** Object name of what is called `name` in a scope. */
export function scopedName(scope: string, name: string): string {
  return base32(createHash("sha1").update(`${scope}/${name}`).digest());
}

export const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

const finalPhases = new Set(["Succeeded", "Failed", "DeleteFailed"]);
export const isFinal = (phase: string | undefined): boolean => finalPhases.has(phase ?? "");
