import {
  goJsonStringify,
  templateStateSecretName,
  type Blueprint,
  type Installation,
  type TemplateExecutor,
} from "@landscaper/api";
import type { TemplateStates } from "@landscaper/blueprint";
import { fromYaml } from "@landscaper/goyaml";
import { isSameJson } from "../../is-same-json.ts";
import { nameOf } from "../../object-reading.ts";
import type { StateSecret } from "../../rendering/render-task.ts";

/** Executions that keep a state. */
export type StatefulKind = "deploy" | "subinstallation" | "export";

function executorsOf(blueprint: Blueprint, kind: StatefulKind): readonly TemplateExecutor[] {
  return blueprint[`${kind}Executions`] ?? [];
}

/**
 * Name of the Secret with the state of an execution: that of the original, but for a subinstallation execution that a deploy execution
 * has its name in common with. There they would share one state (core.md §3.1, §4.47).
 */
export function stateSecretName({ installation, blueprint, kind }: TemplateStateOptions, execution: string): string {
  const isShared = executorsOf(blueprint, "deploy").some(({ name }) => name === execution);
  const prefix = kind === "subinstallation" && !isShared ? "deploy" : kind;
  return templateStateSecretName(nameOf(installation), prefix, execution);
}

/** Whether any text of a blueprint speaks of state: without the word no template can read it, and no Secret needs to be looked for. */
export function mentionsState(filesystem: unknown): boolean {
  if (typeof filesystem === "string") return filesystem.includes("state");
  if (typeof filesystem !== "object" || filesystem === null) return false;
  return Object.entries(filesystem).some(([name, value]) => name.includes("state") || mentionsState(value));
}

export interface TemplateStateOptions {
  readonly installation: Installation;
  readonly blueprint: Blueprint;
  readonly kind: StatefulKind;
}

/** The texts under the keys of Secrets, in base64, in the order of their names; undefined for those that do not exist. */
export type FindStateTexts = (names: readonly string[]) => Promise<readonly (string | undefined)[]>;

/** States that earlier jobs have stored, by execution name. */
export async function loadTemplateStates(options: TemplateStateOptions, find: FindStateTexts): Promise<TemplateStates> {
  const { installation, blueprint, kind } = options;
  if (!mentionsState(installation.spec.blueprint.inline?.filesystem)) return {};
  const executions = [...new Set(executorsOf(blueprint, kind).map(({ name }) => name))];
  if (executions.length === 0) return {};
  const texts = await find(executions.map((name) => stateSecretName(options, name)));
  const states = executions.flatMap((name, index) => {
    const text = texts[index];
    return text === undefined ? [] : [[name, fromYaml(Buffer.from(text, "base64").toString("utf8"))] as const];
  });
  return Object.fromEntries(states);
}

/** The states that a rendering has come to, where they differ from those before. */
export function changedStates(
  options: TemplateStateOptions,
  previous: TemplateStates,
  next: TemplateStates,
): readonly StateSecret[] {
  return Object.entries(next)
    .filter(([name, state]) => !isSameJson(state, previous[name]))
    .map(([name, state]) => ({ name: stateSecretName(options, name), text: goJsonStringify(state) }));
}
