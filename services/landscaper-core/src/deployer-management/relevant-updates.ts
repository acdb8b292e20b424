// Which updates of an object concern others. A fleet has many heartbeats, and most of them concern nothing but their own Environment.
import {
  environmentNamespaces,
  type DeployerRegistration,
  type Environment,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import { isDeleting } from "../object-reading.ts";

/** What of an object matters, as text; objects are of the kind that the informer yields. */
export type StateOf = (object: never) => string;

/** Holds for an update that changes the state. */
export function changes(stateOf: StateOf): (object: KubeObject, previous: KubeObject) => boolean {
  return (object, previous) => stateOf(object as never) !== stateOf(previous as never);
}

function baseOf(object: KubeObject): readonly unknown[] {
  const { uid, generation } = object.metadata;
  return [uid, generation, isDeleting(object)];
}

/** Which object it is, and whether it is being deleted. */
export function identityState(object: KubeObject): string {
  return JSON.stringify([object.metadata.uid, isDeleting(object)]);
}

/** Of a specification: everything but metadata and status. */
export function specState(object: KubeObject): string {
  return JSON.stringify(baseOf(object));
}

/** The Environments that the rollout of a registration chooses. */
export function environmentsOfRollout(object: KubeObject): readonly ObjectKey[] {
  // The informer of this kind yields registrations.
  const { status } = object as DeployerRegistration;
  return (status?.rollout?.environments ?? []).map((name) => ({ name }));
}

/** What environmentsOfRollout follows from, and the specification that it is for. */
export function rolloutState({ status }: DeployerRegistration): string {
  return JSON.stringify([status?.observedGeneration, status?.rollout?.environments]);
}

/** What of an Environment matters to registrations: which deployers have failed, and not when its agent was heard of. */
export function environmentState(environment: Environment): string {
  const deployers = environment.status?.deployers?.filter(({ phase }) => phase === "Failed") ?? [];
  return JSON.stringify([...baseOf(environment), deployers.map(({ name }) => name)]);
}

/** What of an Environment says which DeployItems it claims. */
export function claimState({ metadata, spec }: Environment): string {
  return JSON.stringify([metadata.uid, spec.targetSelectors, environmentNamespaces(spec)]);
}

/** What of a registration says whose DeployItems are. */
export function selectorState({ metadata, spec }: DeployerRegistration): string {
  const selectors = spec.installationTemplate.importDataMappings?.["targetSelectors"];
  return JSON.stringify([metadata.uid, metadata.deletionTimestamp, spec.types, selectors]);
}
