import {
  goJsonStringify,
  kubeResources,
  templateStateSecretName,
  type Blueprint,
  type Installation,
  type Secret,
  type TemplateExecutor,
} from "@landscaper/api";
import type { TemplateStates } from "@landscaper/blueprint";
import { fromYaml } from "@landscaper/goyaml";
import { isAlreadyExists, type Client } from "@landscaper/controller-runtime";
import { isSameJson } from "../is-same-json.ts";
import { nameOf, namespaceOf } from "../object-reading.ts";
import { plainOwner } from "./import-copies.ts";

/** Executions that keep a state. */
export type StatefulKind = "deploy" | "subinstallation" | "export";

const entry = "config";

function executorsOf(blueprint: Blueprint, kind: StatefulKind): readonly TemplateExecutor[] {
  return blueprint[`${kind}Executions`] ?? [];
}

/**
 * Name of the Secret with the state of an execution: that of the original, but for a subinstallation execution that a deploy execution
 * has its name in common with. There they would share one state (core.md §3.1, §4.47).
 */
export function stateSecretName(
  options: Pick<TemplateStateOptions, "installation" | "blueprint" | "kind">,
  execution: string,
): string {
  const { installation, blueprint, kind } = options;
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
  readonly client: Client;
  readonly installation: Installation;
  readonly blueprint: Blueprint;
  readonly kind: StatefulKind;
  readonly signal: AbortSignal;
}

/** States that earlier jobs have stored, by execution name. */
export async function loadTemplateStates(options: TemplateStateOptions): Promise<TemplateStates> {
  const { client, installation, blueprint, kind, signal } = options;
  if (!mentionsState(installation.spec.blueprint.inline?.filesystem)) return {};
  const states = await Promise.all(
    executorsOf(blueprint, kind).map(async ({ name }) => {
      const secret = await client.find(kubeResources.secret, secretKey(options, name), { signal });
      const text = secret?.data?.[entry];
      return text === undefined ? [] : [[name, fromYaml(Buffer.from(text, "base64").toString("utf8"))] as const];
    }),
  );
  return Object.fromEntries(states.flat());
}

function secretKey(options: TemplateStateOptions, execution: string) {
  return { namespace: namespaceOf(options.installation), name: stateSecretName(options, execution) };
}

/** Stores the states that a rendering has come to, before anything that follows from it is written. */
export async function storeTemplateStates(
  options: TemplateStateOptions,
  previous: TemplateStates,
  next: TemplateStates,
): Promise<void> {
  const changed = Object.entries(next).filter(([name, state]) => !isSameJson(state, previous[name]));
  await Promise.all(changed.map(([name, state]) => storeState(options, name, state)));
}

async function storeState(options: TemplateStateOptions, execution: string, state: unknown): Promise<void> {
  const { client, installation, signal } = options;
  const key = secretKey(options, execution);
  const data = { [entry]: Buffer.from(goJsonStringify(state), "utf8").toString("base64") };
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...key, ownerReferences: [{ ...plainOwner(installation), controller: true }] },
    data,
  };
  try {
    await client.create(kubeResources.secret, secret, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(kubeResources.secret, key, { type: "merge", body: { data }, signal });
  }
}
