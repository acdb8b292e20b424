import {
  isJobOpen,
  keyOf,
  resources,
  type DeployItem,
  type Environment,
  type KubeObject,
  type ObjectKey,
  type Target,
} from "@landscaper/api";
import { isNotFound, type Manager } from "@landscaper/controller-runtime";
import type { CoreInformers } from "../../core.ts";
import { nameOf, namespaceOf } from "../../object-reading.ts";
import { keysOnChange, stateOfRegistration } from "../keys-on-change.ts";
import { decideSilence, hasSilence, mayHinder, silenceState } from "./decide-silence.ts";

/**
 * Lets DeployItems with an open job say that their Environment is silent, or does not serve their namespace. Heartbeats cost nothing: items are looked at when an agent falls silent or
 * is back, and for their own changes, which need no request unless there is something to say.
 */
export function addSilenceController(manager: Manager, informers: CoreInformers): void {
  const { client, clock } = manager;
  const items = informers.deployItems.lister;
  const environments = manager.informer(resources.environment).lister;
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
      const observed = { target, environments, registrations: registrations.list() };
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
        // The informer of this kind yields Environments.
        map: onSilenceChange(environments, () => concerned().map(keyOf)),
      },
      // One with selectors of its own lets all Environments act.
      { type: resources.deployerRegistration, map: keysOnChange(stateOfRegistration, () => concerned().map(keyOf)) },
      {
        type: resources.target,
        map: (object: KubeObject) => {
          const target = object as Target; // as the informer of this kind yields them
          if (!environments.list().some(mayHinder)) return [];
          return concerned(namespaceOf(target))
            .filter(({ spec }) => spec.target?.name === nameOf(target))
            .map(keyOf);
        },
      },
    ],
    workers: 5,
  });
}

/** What `list` gives when an Environment has fallen silent, is back, has other Targets or namespaces, or has gone; nothing for other changes. */
function onSilenceChange(
  environments: { get(key: ObjectKey): Environment | undefined },
  list: () => readonly ObjectKey[],
): (object: KubeObject) => readonly ObjectKey[] {
  return keysOnChange((object) => {
    const environment = environments.get({ name: nameOf(object) });
    return environment === undefined || !mayHinder(environment) ? undefined : silenceState(environment);
  }, list);
}
