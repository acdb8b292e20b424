import {
  agentFinalizer,
  annotations,
  deployerManagementFinalizer,
  installationPhases,
  isDeletionPhase,
  isJobOpen,
  keyOf,
  labels,
  operations,
  resources,
  type Environment,
  type Installation,
  type Target,
} from "@landscaper/api";
import { createSystemClock, isNotFound, reflect } from "@landscaper/controller-runtime";
import { withCluster } from "../cluster-command.ts";
import { flagOption, textOption, type CommandRun } from "../command.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { UsageError } from "../usage-error.ts";
import { getEnvironment, listDeployers, type EnvironmentSearch } from "./environment-state.ts";

const defaultTimeout = "5m";

/**
 * `landscaper environments forget`: removes an Environment whose cluster does not come back. Its deployers are not uninstalled, and what stays
 * behind is named first (docs/reference/deployer-management.md#removal).
 */
export const runForgetEnvironment: CommandRun = async (input, context) => {
  const timeoutMs = parseTimeout(textOption(input, "timeout") ?? defaultTimeout);
  await withCluster(input, context, async ({ client }) => {
    const search = { client, signal: context.signal };
    const environment = await getEnvironment(search, input.argument ?? "");
    const name = environment.metadata.name ?? "";
    const installations = await listDeployers(name, search);
    context.write(describeRest(environment, { installations, targets: await listTargets(name, search) }));
    if (!flagOption(input, "yes")) {
      context.write(`nothing is done without --yes\n`);
      return;
    }
    await abandonItems(name, search);
    for (const installation of installations) await leaveBehind(installation, search);
    if (environment.metadata.deletionTimestamp === undefined) {
      await client.delete(
        resources.environment,
        { name },
        { uid: environment.metadata.uid ?? "", signal: search.signal },
      );
    }
    await untilReleased(environment, { ...search, timeoutMs });
    await dropAgentFinalizer(environment, search);
    context.write(`environment/${name} forgotten\n`);
  });
};

/** Targets that the deployers of the Environment act for by its name. Of them only metadata: what they hold is nobody's business. */
async function listTargets(environment: string, { client, signal }: EnvironmentSearch): Promise<readonly Target[]> {
  const { items } = await client.list(resources.target, { signal, metadataOnly: true });
  return items.filter(({ metadata }) => metadata.annotations?.[annotations.environment] === environment);
}

interface Rest {
  readonly installations: readonly Installation[];
  readonly targets: readonly Target[];
}

/** What nobody removes from the cluster of the Environment any more. */
function describeRest({ metadata, spec }: Environment, { installations, targets }: Rest): string {
  const releases = installations.map(
    (one) => `  the deployer ${one.metadata.name ?? ""} in namespace ${spec.namespace}`,
  );
  const others = targets
    .filter(({ metadata: { labels: own } }) => own?.[labels.deployerEnvironment] === undefined)
    .filter(({ metadata: { ownerReferences } }) => ownerReferences?.some(({ kind }) => kind === "Environment") !== true)
    .map((target) => `  what is deployed to Target ${target.metadata.namespace ?? ""}/${target.metadata.name ?? ""}`);
  return [
    `stays behind on the cluster of Environment ${metadata.name ?? ""}:`,
    ...releases,
    "  its agent, with its accounts, roles and Secrets",
    ...others,
    "",
  ].join("\n");
}

/** Annotates the Environment: without the annotation, the core waits until all DeployItems that only this Environment serves are deleted. */
async function abandonItems(name: string, { client, signal }: EnvironmentSearch): Promise<void> {
  const body = { metadata: { annotations: { [annotations.abandonItems]: name } } };
  await client.patch(resources.environment, { name }, { type: "merge", body, signal });
}

/** The Installation goes without its deployer being uninstalled; a deletion that has failed is tried again. */
async function leaveBehind(installation: Installation, { client, signal }: EnvironmentSearch): Promise<void> {
  const { status } = installation;
  const hasFailed = status?.phase === installationPhases.deleteFailed && !isJobOpen(status);
  const wanted = {
    [annotations.deleteWithoutUninstall]: "true",
    ...(hasFailed ? { [annotations.operation]: operations.reconcile } : {}),
    ...(isJobOpen(status) ? { [annotations.operation]: operations.interrupt } : {}),
  };
  const body = { metadata: { annotations: wanted } };
  await client.patch(resources.installation, keyOf(installation), { type: "merge", body, signal });
}

/** Returns true if the deletion of the Installation waits for something that `leaveBehind` ends: a job that has begun since, or a deletion that has failed. */
function isHeldUp({ metadata, status }: Installation): boolean {
  if (metadata.annotations?.[annotations.deleteWithoutUninstall] !== "true") return true;
  if (metadata.annotations[annotations.operation] !== undefined) return false;
  if (isJobOpen(status)) return !isDeletionPhase(status?.phase);
  return status?.phase === installationPhases.deleteFailed;
}

/**
 * Waits until the core has removed what it has made for the Environment. Meanwhile, leaves Installations behind that the core has created or started since:
 * it deletes an Installation only after the job. Throws UsageError when the time is up.
 */
async function untilReleased(
  { metadata }: Environment,
  { client, signal, timeoutMs }: EnvironmentSearch & { readonly timeoutMs: number },
): Promise<void> {
  const { name = "", uid } = metadata;
  const ended = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const failures: unknown[] = [];
  const look = (live: Environment | undefined): void => {
    const isSame = live?.metadata.uid === uid;
    if (!isSame || live?.metadata.finalizers?.includes(deployerManagementFinalizer) !== true) ended.abort();
  };
  const follow = (installation: Installation): void => {
    if (!isHeldUp(installation)) return;
    leaveBehind(installation, { client, signal }).catch((error: unknown) => {
      if (isNotFound(error)) return;
      failures.push(error);
      ended.abort();
    });
  };
  const options = { client, clock: createSystemClock(), random: Math.random, onFailure: () => undefined };
  const untilEnd = AbortSignal.any([ended.signal, timeout, signal]);
  await Promise.all([
    reflect<Environment>(
      {
        ...options,
        type: resources.environment,
        selection: { fieldSelector: `metadata.name=${name}` },
        onList: ({ items: [live] }) => look(live),
        onEvent: (type, live) => look(type === "DELETED" ? undefined : live),
      },
      untilEnd,
    ),
    reflect<Installation>(
      {
        ...options,
        type: resources.installation,
        selection: { labelSelector: `${labels.deployerEnvironment}=${name}` },
        onList: ({ items }) => items.forEach(follow),
        onEvent: (type, installation) => {
          if (type !== "DELETED") follow(installation);
        },
      },
      untilEnd,
    ),
  ]);
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  if (ended.signal.aborted) return;
  throw new UsageError(
    `the core has not let go of Environment ${name} in ${timeoutMs / 1000} s; landscaper environments why ${name} says what it waits for`,
  );
}

/** What the agent would do at last, if it were there. */
async function dropAgentFinalizer({ metadata }: Environment, { client, signal }: EnvironmentSearch): Promise<void> {
  const { name = "", uid } = metadata;
  const live = await client.find(resources.environment, { name }, { signal });
  const { finalizers = [], resourceVersion } = live?.metadata ?? {};
  if (live?.metadata.uid !== uid || !finalizers.includes(agentFinalizer)) return;
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== agentFinalizer) } };
  await client.patch(resources.environment, { name }, { type: "merge", body, signal });
}
