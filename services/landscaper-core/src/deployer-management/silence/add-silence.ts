import {
  isJobOpen,
  keyOf,
  resources,
  type DeployItem,
  type Environment,
  type KubeObject,
  type Target,
} from "@landscaper/api";
import { isNotFound, type IndexFunctions, type Manager } from "@landscaper/controller-runtime";
import type { CoreInformers } from "../../core.ts";
import { nameOf, namespaceOf } from "../../object-reading.ts";
import { changes, selectorState } from "../relevant-updates.ts";
import { decideSilence, hasSilence, isSilent, mayHinder, silenceState } from "./decide-silence.ts";

const byObstacle = "obstacle";
const silent = "silent";
const any = "any";

/** The Environments that may be an obstacle: looking for them with each item would cost as much as the fleet is large. */
const obstacleIndexes: IndexFunctions<Environment> = {
  [byObstacle]: (environment) => [...(isSilent(environment) ? [silent] : []), ...(mayHinder(environment) ? [any] : [])],
};

/**
 * Lets DeployItems with an open job say that their Environment is silent, or does not serve their namespace. Heartbeats cost nothing: items are looked at when an agent falls silent or
 * is back, and for their own changes, which need no request unless there is something to say.
 */
export function addSilenceController(manager: Manager, informers: CoreInformers): void {
  const { client, clock } = manager;
  const items = informers.deployItems.lister;
  const environments = manager.informer(resources.environment, { indexes: obstacleIndexes }).lister;
  const registrations = manager.informer(resources.deployerRegistration).lister;
  const concerns = (item: DeployItem): boolean => isJobOpen(item.status) || hasSilence(item);
  const concerned = (namespace?: string): readonly DeployItem[] =>
    items.list(namespace === undefined ? {} : { namespace }).filter(concerns);
  manager.addController({
    name: "silent-environments",
    group: "central",
    for: resources.deployItem,
    predicate: concerns,
    reconcile: async (key, signal) => {
      const item = items.get(key);
      if (item === undefined || !concerns(item)) return undefined;
      const name = item.spec.target?.name;
      const namespace = namespaceOf(item);
      const target = name === undefined ? undefined : informers.targets.lister.get({ namespace, name });
      const isAnySilent = environments.byIndex(byObstacle, silent).length > 0;
      const observed = { target, environments, isAnySilent, registrations: registrations.list() };
      const conditions = decideSilence(item, observed, new Date(clock.now()));
      if (conditions === undefined) return undefined;
      const { observedGeneration = 0 } = item.status ?? {};
      const status = { ...item.status, observedGeneration, conditions: [...conditions] };
      try {
        // Guarded: deployers write the same list.
        await client.updateStatus(resources.deployItem, { ...item, status }, { signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return undefined;
    },
    watches: [
      {
        type: resources.environment,
        // The informer of this kind yields Environments. Those that are no obstacle are the rule.
        map: (object) => (mayHinder(object as Environment) ? concerned().map(keyOf) : []),
        updatePredicate: changes(silenceState),
      },
      // One with selectors of its own lets all Environments act.
      {
        type: resources.deployerRegistration,
        map: () => concerned().map(keyOf),
        updatePredicate: changes(selectorState),
      },
      {
        type: resources.target,
        map: (object: KubeObject) => {
          const target = object as Target; // as the informer of this kind yields them
          if (environments.byIndex(byObstacle, any).length === 0) return [];
          return concerned(namespaceOf(target))
            .filter(({ spec }) => spec.target?.name === nameOf(target))
            .map(keyOf);
        },
      },
    ],
    workers: 5,
  });
}
