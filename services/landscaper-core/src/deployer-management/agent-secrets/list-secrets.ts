import {
  chartRepositoryConfiguration,
  environmentKind,
  exportSecretName,
  findHelmReferences,
  planSecretName,
  resources,
  type Context,
  type DeployItem,
  type Target,
} from "@landscaper/api";
import { canBeName } from "@landscaper/controller-runtime";
import { nameOf } from "../../object-reading.ts";

/** Objects of the namespace of deployer management that name Secrets for the agent of an Environment. */
export interface SecretSources {
  /** Helm items for the Target of the host. */
  readonly items: readonly DeployItem[];
  /** Contexts of these items and of the deployers' Installations. */
  readonly contexts: readonly Context[];
  /** Targets that these items name beside the Target of the host. */
  readonly targets: readonly Target[];
}

export interface ListedSecrets {
  /** Sorted, each once. */
  readonly names: readonly string[];
  /** Number of further names, which do not fit into the Role. */
  readonly omitted: number;
}

/** The longest names make a Role of about 1 MiB; etcd stores 1.5 MiB by default. */
export const maxListedSecrets = 4000;

/** Credentials of registries and Helm repositories. Keys of signatures are not among them: the core alone verifies signatures. */
export function secretsOfContext({ registryPullSecrets = [], configurations = {} }: Context): readonly string[] {
  const auths: unknown = Reflect.get(Object(configurations[chartRepositoryConfiguration]), "auths");
  const references = Array.isArray(auths) ? auths.map((auth): unknown => Reflect.get(Object(auth), "secretRef")) : [];
  const names = references.map((reference): unknown => Reflect.get(Object(reference), "name"));
  return [...registryPullSecrets.map(({ name }) => name), ...names].filter((name) => typeof name === "string");
}

/** Owners of Targets that the core makes of what an agent writes: `spec.hostTarget` of its Environment, and exports of its items. */
const writtenByAgents: ReadonlySet<string> = new Set([environmentKind.type.kind, resources.installation.kind]);

/** The Secret of a Target that an administrator or a TargetSync has written. */
export function secretOfTarget({ metadata, spec: { secretRef } }: Target): readonly string[] {
  const isMade = metadata.ownerReferences?.some(({ kind }) => writtenByAgents.has(kind)) === true;
  return secretRef === undefined || isMade ? [] : [secretRef.name];
}

/** Names of the Secrets that the agent of an Environment may read. Pure (docs/reference/deployer-management.md#secrets-of-an-agent). */
export function listSecrets({ items, contexts, targets }: SecretSources): ListedSecrets {
  const named = [
    ...contexts.flatMap(secretsOfContext),
    ...targets.flatMap(secretOfTarget),
    ...items.flatMap(({ spec }) => findHelmReferences(spec.config).secrets),
  ];
  const own = items.map(nameOf).flatMap((name) => [exportSecretName(name), planSecretName(name)]);
  // Without credentials no item works, without the Secrets of an item that item alone does not.
  const all = [...new Set([...sort(named), ...sort(own)])].filter(isSecretName);
  return { names: sort(all.slice(0, maxListedSecrets)), omitted: Math.max(0, all.length - maxListedSecrets) };
}

const maxNameLength = 253;

function isSecretName(name: string): boolean {
  return name !== "" && name.length <= maxNameLength && canBeName(name);
}

function sort(names: readonly string[]): readonly string[] {
  return names.toSorted((one, other) => (one < other ? -1 : 1));
}
