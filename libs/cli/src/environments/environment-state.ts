import {
  conditionTypes,
  labels,
  resources,
  type Condition,
  type DeployerRegistration,
  type Environment,
  type Installation,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { UsageError } from "../usage-error.ts";

export interface EnvironmentSearch {
  readonly client: Client;
  readonly signal: AbortSignal;
}

function byName<T extends { readonly metadata: { readonly name?: string } }>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
}

/** All Environments by name, or the one with the name. Throws UsageError when there is none. */
export async function listEnvironments(search: EnvironmentSearch, name?: string): Promise<readonly Environment[]> {
  if (name !== undefined) return [await getEnvironment(search, name)];
  const { items } = await search.client.list(resources.environment, { signal: search.signal });
  if (items.length === 0) throw new UsageError("there are no Environments");
  return byName(items);
}

export async function getEnvironment({ client, signal }: EnvironmentSearch, name: string): Promise<Environment> {
  const found = await client.find(resources.environment, { name }, { signal });
  if (found === undefined) throw new UsageError(`there is no Environment "${name}"`);
  return found;
}

export async function listRegistrations({
  client,
  signal,
}: EnvironmentSearch): Promise<readonly DeployerRegistration[]> {
  const { items } = await client.list(resources.deployerRegistration, { signal });
  if (items.length === 0) throw new UsageError("there are no DeployerRegistrations");
  return byName(items);
}

/** The Installations of the deployers of an Environment. */
export async function listDeployers(
  environment: string,
  { client, signal }: EnvironmentSearch,
): Promise<readonly Installation[]> {
  const labelSelector = `${labels.deployerEnvironment}=${environment}`;
  return (await client.list(resources.installation, { labelSelector, signal })).items;
}

export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Returns the message of the condition AgentClockDiffers; undefined if the clocks of agent and core agree. */
export function clockWarningOf(conditions: readonly Condition[] | undefined): string | undefined {
  const condition = conditionOf(conditions, conditionTypes.agentClockDiffers);
  return condition?.status === "True" ? condition.message : undefined;
}

/** The phase for people: an Environment that nobody has looked at has none. */
export function describeEnvironmentPhase({ spec, status }: Environment): string {
  const phase = status?.phase ?? "not started";
  return spec.suspend === true ? `${phase} (suspended)` : phase;
}
