import { kubeResources, labels, type KubeObject } from "@landscaper/api";
import { deleteObject, ensureObject } from "../../ensure-object.ts";
import { isSameJson } from "../../is-same-json.ts";
import { labelOf } from "../../object-reading.ts";
import { takenName, type ManagementRun } from "../made-objects.ts";
import { ensureBinding } from "../rights/ensure-binding.ts";
import type { SecretsDecision } from "./decide-secrets.ts";

/** Performs the decision. Sends no request if the Role and its binding are as wanted. */
export async function keepSecretsRole(run: ManagementRun, decision: SecretsDecision): Promise<void> {
  if (decision.kind === "keep") {
    await ensureRole(run, decision.role);
    await bind(run, decision.binding);
    return;
  }
  const { client } = run.context;
  const { role, binding } = decision;
  if (binding !== undefined)
    await deleteObject(client, { type: kubeResources.roleBinding, object: binding }, run.signal);
  if (role !== undefined) await deleteObject(client, { type: kubeResources.role, object: role }, run.signal);
}

type Kept = Extract<SecretsDecision, { kind: "keep" }>;

/** Throws LandscaperError for an object that another client has created. */
function demandOwn(existing: KubeObject, desired: KubeObject): void {
  const label = labels.deployerEnvironment;
  if (labelOf(existing, label) !== labelOf(desired, label)) throw takenName(desired);
}

async function ensureRole({ context, signal }: ManagementRun, desired: Kept["role"]): Promise<void> {
  const { client, roles: lister } = context;
  await ensureObject({
    client,
    type: kubeResources.role,
    lister,
    desired,
    signal,
    merge: (existing) => {
      demandOwn(existing, desired);
      // An API server may leave an empty list out.
      const isSame = isSameJson(existing.rules ?? [], desired.rules);
      return isSame ? existing : { ...existing, rules: desired.rules ?? [] };
    },
  });
}

async function bind({ context, signal }: ManagementRun, desired: Kept["binding"]): Promise<void> {
  await ensureBinding({
    client: context.client,
    type: kubeResources.roleBinding,
    lister: context.roleBindings,
    desired,
    signal,
    merge: (existing) => {
      demandOwn(existing, desired);
      return { ...existing, subjects: desired.subjects ?? [] };
    },
  });
}
