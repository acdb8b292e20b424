import { createHash } from "node:crypto";
import { base32 } from "../values/base32.ts";

const verbatimName = /^([a-z0-9]|([a-z0-9][a-z0-9.-]*[a-z0-9]))$/;

/**
 * Longest name of an Installation: its scope label "Inst.NAME" has to fit into 63 characters (core.md §3.3). Names that we
 * generate stay below it, so that every one of them may also stand in a label.
 */
export const maxInstallationNameLength = 58;
const suffixLength = 8;

function hashName(text: string): string {
  return base32(createHash("sha1").update(text, "utf8").digest());
}

/**
 * Object name of a DataObject or Target from its name in a scope (GenName of core.md §3.1). "#name" reaches over scopes: the
 * rest is the object name. Names of the root scope ("") stay when they are legal object names.
 */
export function generateDataName(scope: string, name: string): string {
  if (name.startsWith("#")) return name.slice(1);
  if (scope === "" && verbatimName.test(name)) return name;
  return hashName(`${scope}/${name}`);
}

/** 8 characters that follow from the text, which may stand in an object name. */
export function nameSuffix(text: string): string {
  return hashName(text).slice(0, suffixLength);
}

/** Inner scope of an Installation: its import copies and its children's exports live there. */
export function scopeOfInstallation(name: string): string {
  return `Inst.${name}`;
}

/** Scope of the export DataObject of an Execution. */
export function scopeOfExecution(name: string): string {
  return `Exec.${name}`;
}

/** Name of an element of a target list, still to go through `generateDataName`. */
export function listElementName(name: string, index: number): string {
  return `${name}[${index}]`;
}

/** Name of an element of a target map, still to go through `generateDataName`. */
export function mapElementName(name: string, key: string): string {
  return `${name}[${key}]`;
}

/**
 * Name of an object that a parent creates: the readable prefix of core.md §3.1, then 8 characters that follow from the parent
 * and the item, so that a repeated create ends in a conflict and not in a twin (design.md §3.3). At most 58 characters.
 */
export function childName(prefix: string, parentUid: string, item: string): string {
  const room = maxInstallationNameLength - suffixLength - 1;
  const readable = prefix.slice(0, room).replace(/[-.]+$/, "");
  return `${readable}-${nameSuffix(`${parentUid}/${item}`)}`;
}

/** Helm keeps the name of a release, with a prefix and a number, in a label. */
const maxReleaseNameLength = 53;

/** The name itself where it can be that of a Helm release; otherwise 44 characters of it and 8 that follow from the whole name. */
export function boundReleaseName(name: string): string {
  if (name.length <= maxReleaseNameLength) return name;
  const readable = name.slice(0, maxReleaseNameLength - suffixLength - 1).replace(/[-.]+$/, "");
  return `${readable}-${nameSuffix(name)}`;
}

/**
 * Which template executions a state Secret belongs to (core.md §3.1). "deploy" stands for subinstallation executions, too, as long as
 * no deploy execution has the same name: then they have Secrets of their own, for in the original they overwrite each other's state.
 */
export type TemplateStatePrefix = "deploy" | "subinstallation" | "export";

/** Name of the Secret that keeps the state of a template execution; its entry is "config". */
export function templateStateSecretName(installation: string, prefix: TemplateStatePrefix, execution: string): string {
  return hashName(`${installation}/${prefix}${execution}`);
}

/** Name of the Secret with the exports of a DeployItem, by the contract (docs/deployer-authors.md). */
export function exportSecretName(deployItem: string): string {
  return `${deployItem}-export`;
}
