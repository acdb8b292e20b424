import { keyOf, type DeployerRegistration, type Environment, type KubeObject, type ObjectKey } from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import { isDeleting } from "../object-reading.ts";

/** What `keysOf` gives, but only when the state of an object has changed since its last event; undefined: there is nothing to remember. */
export function keysOnChange(
  stateOf: (object: KubeObject) => string | undefined,
  keysOf: (object: KubeObject) => readonly ObjectKey[],
): (object: KubeObject) => readonly ObjectKey[] {
  const seen = new Map<string, string>();
  return (object) => {
    const { name = "" } = object.metadata;
    const state = stateOf(object);
    if (seen.get(name) === state) return [];
    if (state === undefined) seen.delete(name);
    else seen.set(name, state);
    return keysOf(object);
  };
}

/** Keys of all objects of the lister, but only when the state of an object has changed since its last event. */
export function allKeysOnChange(
  lister: Pick<Lister<KubeObject>, "list">,
  stateOf: (object: KubeObject) => string,
): (object: KubeObject) => readonly ObjectKey[] {
  return keysOnChange(stateOf, () => lister.list().map(keyOf));
}

function baseOf(object: KubeObject): readonly unknown[] {
  const { uid, generation } = object.metadata;
  return [uid, generation, isDeleting(object)];
}

/** All Environments when a registration has changed; those that its rollout chooses when these are others than at the last event. */
export function environmentsOnChange(
  environments: Pick<Lister<Environment>, "list">,
): (registration: DeployerRegistration) => readonly ObjectKey[] {
  const seen = new Map<string, { readonly state: string; readonly chosen: string }>();
  return (registration) => {
    const { name = "" } = registration.metadata;
    const last = seen.get(name);
    const state = JSON.stringify(baseOf(registration));
    const names = registration.status?.rollout?.environments ?? [];
    const chosen = JSON.stringify([registration.status?.observedGeneration, names]);
    seen.set(name, { state, chosen });
    if (last?.state !== state) return environments.list().map(keyOf);
    return last.chosen === chosen ? [] : names.map((environment) => ({ name: environment }));
  };
}

/** What of an Environment matters to registrations: which deployers have failed, and not when its agent was heard of. */
export function stateOfEnvironment(environment: Environment): string {
  const { deployers = [] } = environment.status ?? {};
  return JSON.stringify([...baseOf(environment), deployers.map(({ name, phase }) => [name, phase])]);
}

/** What of a registration says whose DeployItems are. The informer of the objects yields registrations. */
export function stateOfRegistration(object: KubeObject): string {
  const { spec } = object as DeployerRegistration;
  return JSON.stringify([
    object.metadata.uid,
    object.metadata.deletionTimestamp,
    spec.types,
    spec.installationTemplate.importDataMappings?.["targetSelectors"],
  ]);
}
