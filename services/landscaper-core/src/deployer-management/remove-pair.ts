import { resources, type ObjectKey, type ResourceType } from "@landscaper/api";
import { deleteObject } from "../ensure-object.ts";
import { isDeleting } from "../object-reading.ts";
import type { Removal } from "./decide-removals.ts";
import { deleteBinding } from "./rights/granted-rights.ts";
import { removeManagementFinalizer, type ManagementRun } from "./made-objects.ts";
import { observeBindings } from "./observe-environment.ts";
import { pairName, type PairNames } from "./pair.ts";

/** Performs one step of a removal. Rights go when nothing is left to uninstall; account and Target go with the Installation. */
export async function removePair(run: ManagementRun, { deployer, step }: Removal): Promise<void> {
  const { client } = run.context;
  const type = resources.installation;
  const object = deployer.installation;
  switch (step) {
    case "hold":
    case "wait":
      return;
    case "delete":
      if (await isUnwanted(run, deployer.names)) await deleteObject(client, { type, object }, run.signal);
      return;
    case "release":
      await deleteBindings(run, deployer.names);
      await removeManagementFinalizer(run, { type, object });
      return;
  }
}

async function deleteBindings(run: ManagementRun, names: PairNames): Promise<void> {
  const bindings = observeBindings(run.context, names.environment);
  const own = bindings.filter((binding) => pairName(binding.names) === pairName(names));
  await Promise.all(own.map(({ binding }) => deleteBinding(run, binding)));
}

/**
 * Informers of different kinds are not ordered among each other: what is missing in one of them may be there already, so that the
 * absence of a registration or an Environment is confirmed before anything is uninstalled for it.
 */
async function isUnwanted({ context, signal }: ManagementRun, names: PairNames): Promise<boolean> {
  const isGoing = async (type: ResourceType, key: ObjectKey, isKnown: boolean): Promise<boolean> => {
    if (isKnown) return false;
    const live = await context.client.find(type, key, { signal });
    return live === undefined || isDeleting(live);
  };
  const registration = context.registrations.get({ name: names.registration });
  const environment = context.environments.get({ name: names.environment });
  if ([registration, environment].some((object) => object !== undefined && isDeleting(object))) return true;
  return (
    (await isGoing(resources.deployerRegistration, { name: names.registration }, registration !== undefined)) ||
    (await isGoing(resources.environment, { name: names.environment }, environment !== undefined))
  );
}
