import type { DataImport, InstallationTemplate, TargetImport } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { labelValueProblem } from "../label-rules.ts";
import { targetMapOf } from "./target-map.ts";

/** The name is the start of generated object names (core.md §3.3). */
const maxNameLength = 52;
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const mapKey = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

/** The rules of core.md §3.6 "inst" as they apply to templates (§1.2 no. 55). Throws LandscaperError. */
export function checkInstallationTemplates(templates: readonly InstallationTemplate[]): void {
  const names = new Set<string>();
  for (const template of templates) {
    if (names.has(template.name))
      throw invalid(template, "the name must be unique among all subinstallations of the blueprint");
    names.add(template.name);
    checkTemplate(template);
  }
}

function invalid(template: InstallationTemplate, problem: string): Error {
  return blueprintError("EnsureSubinstallations", `subinstallation "${template.name}": ${problem}`);
}

function checkTemplate(template: InstallationTemplate): void {
  if (template.name.length > maxNameLength)
    throw invalid(template, `the name must have at most ${maxNameLength} characters`);
  if (!dnsLabel.test(template.name)) {
    throw invalid(template, "the name must be lower-case letters, digits and -, with a letter or digit at both ends");
  }
  const { ref, filesystem } = template.blueprint;
  if ((ref === undefined) === (filesystem === undefined)) {
    throw invalid(template, "blueprint: exactly one of ref and filesystem must be set");
  }
  checkImports(template);
  checkExports(template);
}

function checkImports(template: InstallationTemplate): void {
  const names = new Set<string>();
  for (const [kind, list] of [
    ["data", template.imports?.data ?? []],
    ["targets", template.imports?.targets ?? []],
  ] as const) {
    for (const entry of list) checkName(template, entry.name, { list: `imports.${kind}`, names });
  }
  for (const entry of template.imports?.data ?? []) checkDataImport(template, entry);
  for (const entry of template.imports?.targets ?? []) checkTargetImport(template, entry);
}

function checkName(template: InstallationTemplate, name: string, at: { list: string; names: Set<string> }): void {
  if (name === "") throw invalid(template, `${at.list}: every entry must have a name`);
  if (at.names.has(name)) throw invalid(template, `${at.list}: the name "${name}" must be unique`);
  at.names.add(name);
}

function checkDataImport(template: InstallationTemplate, entry: DataImport): void {
  const where = `imports.data "${entry.name}"`;
  if (entry.secretRef !== undefined || entry.configMapRef !== undefined) {
    throw invalid(
      template,
      `${where}: secretRef and configMapRef are not allowed in subinstallations, expected dataRef`,
    );
  }
  if ((entry.dataRef ?? "") === "") throw invalid(template, `${where}: dataRef must be set`);
}

function checkTargetImport(template: InstallationTemplate, entry: TargetImport): void {
  const where = `imports.targets "${entry.name}"`;
  const { target, targets, targetListRef, targetMap, targetMapRef } = entry;
  const set = [target, targets, targetListRef, targetMap, targetMapRef].filter((source) => source !== undefined);
  if (set.length !== 1 || set[0] === "") {
    throw invalid(
      template,
      `${where}: exactly one of target, targets, targetListRef, targetMap and targetMapRef must be set`,
    );
  }
  for (const item of targets ?? [])
    if (item === "") throw invalid(template, `${where}: targets must not have empty names`);
  for (const [key, value] of Object.entries(targetMapOf(entry) ?? {})) {
    if (!mapKey.test(key))
      throw invalid(template, `${where}: the key ${JSON.stringify(key)} is not allowed in a target map`);
    if (value === "") throw invalid(template, `${where}: targetMap must not have empty names`);
  }
}

function checkExports(template: InstallationTemplate): void {
  const dataNames = new Set<string>();
  for (const entry of template.exports?.data ?? []) {
    checkName(template, entry.name, { list: "exports.data", names: dataNames });
    checkReference(template, entry.dataRef, `exports.data "${entry.name}": dataRef`);
  }
  const targetNames = new Set<string>();
  for (const entry of template.exports?.targets ?? []) {
    checkName(template, entry.name, { list: "exports.targets", names: targetNames });
    checkReference(template, entry.target ?? "", `exports.targets "${entry.name}": target`);
  }
}

/** References are values of labels of the objects that are written for them. */
function checkReference(template: InstallationTemplate, reference: string, where: string): void {
  const problem = reference === "" ? "must be set" : labelValueProblem(reference);
  if (problem !== undefined) throw invalid(template, `${where} ${problem}`);
}
