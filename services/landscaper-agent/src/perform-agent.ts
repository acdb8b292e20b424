import {
  keyOf,
  kubeResources,
  resources,
  type Environment,
  type KubeObject,
  type ResourceType,
  type Secret,
} from "@landscaper/api";
import { isForbidden } from "@landscaper/controller-runtime";
import { createSealingKeys, requestToken } from "@landscaper/deployer";
import type { AgentContext } from "./agent-context.ts";
import { missingEnvironment } from "./agent-settings.ts";
import { buildAccessSecret, buildAccount, buildBinding, buildRole, readPrivateKey } from "./build-host-objects.ts";
import type { AgentDecision, HostKind } from "./decide-agent.ts";

/** Life of the host's token that is asked for; half of it has to pass before it is renewed. */
export const accessTokenSeconds = 3600;

const hostTypes: Readonly<Record<HostKind, ResourceType>> = {
  account: kubeResources.serviceAccount,
  role: kubeResources.clusterRole,
  binding: kubeResources.clusterRoleBinding,
  secret: kubeResources.secret,
};

export type AgentWrite = Exclude<AgentDecision, { readonly kind: "keep" | "gone" }>;

/** Makes one write. Objects that were read are guarded by their resourceVersion or UID. */
export async function performAgent(context: AgentContext, decision: AgentWrite, signal: AbortSignal): Promise<void> {
  const { settings, client, host } = context;
  switch (decision.kind) {
    case "create-account":
      await host.create(kubeResources.serviceAccount, buildAccount(settings), { signal });
      return;
    case "create-role":
      // A right to escalate that names a role holds for updates alone: those of the role come with the next step.
      await host.create(kubeResources.clusterRole, { ...buildRole(settings), rules: [] }, { signal });
      return;
    case "update-role":
      await host.update(kubeResources.clusterRole, decision.role, { signal });
      return;
    case "create-binding":
      await host.create(kubeResources.clusterRoleBinding, buildBinding(settings), { signal });
      return;
    case "update-binding":
      await host.update(kubeResources.clusterRoleBinding, decision.binding, { signal });
      return;
    case "write-access":
      await writeAccess(context, decision.secret, signal);
      return;
    case "create-environment":
      await createEnvironment(context, decision.environment, signal);
      return;
    case "update-environment":
      await client.update(resources.environment, decision.environment, { signal });
      return;
    case "delete":
      await deleteFromHost(context, decision, signal);
  }
}

/** Throws LandscaperError if the API server forbids the Environment, as it does to agents of fenced clusters; otherwise ApiError. */
async function createEnvironment(
  { client, settings }: AgentContext,
  wanted: Environment,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(resources.environment, wanted, { signal });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw missingEnvironment(settings.environment, error);
  }
}

async function writeAccess(
  { settings, host }: AgentContext,
  existing: Secret | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, names } = settings;
  const account = { namespace, name: names.account, audiences: [], expirationSeconds: accessTokenSeconds };
  const { token } = await requestToken(host, account);
  const privateKey = readPrivateKey(existing) ?? createSealingKeys().privateKey;
  const wanted = buildAccessSecret(settings, { token, privateKey });
  if (existing === undefined) await host.create(kubeResources.secret, wanted, { signal });
  else await host.update(kubeResources.secret, { ...existing, ...wanted, metadata: existing.metadata }, { signal });
}

async function deleteFromHost(
  { host }: AgentContext,
  { what, object }: { readonly what: HostKind; readonly object: KubeObject },
  signal: AbortSignal,
): Promise<void> {
  const { uid } = object.metadata;
  await host.delete(hostTypes[what], keyOf(object), { uid, signal });
}
