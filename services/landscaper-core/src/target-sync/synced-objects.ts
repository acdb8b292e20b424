import {
  annotations,
  apiVersion,
  kubernetesClusterTargetType,
  labels,
  LandscaperError,
  toTimestamp,
  type KubeObject,
  type LocalRef,
  type Secret,
  type Target,
} from "@landscaper/api";
import { installationOwners, labelOf, nameOf } from "../object-reading.ts";
import { kubeconfigKey } from "./source-kubeconfig.ts";

/** Value of the label on everything that a TargetSync makes (core.md §3.3). */
export const madeLabelValue = "ok";
/** Selects what TargetSyncs have made. */
export const madeSelector = `${labels.targetSync}=${madeLabelValue}`;

/**
 * Whether a TargetSync has made the object. Copies that Installations make of such Targets for their own scope carry the same
 * label (core.md §4.15), but are theirs.
 */
export function isMade(object: KubeObject): boolean {
  return labelOf(object, labels.targetSync) === madeLabelValue && installationOwners(object).length === 0;
}

interface Name {
  readonly namespace: string;
  readonly name: string;
}

export interface TargetFields extends Name {
  readonly secretRef: LocalRef;
  /** When its kubeconfig was fetched from Gardener. */
  readonly syncedAt?: Date | undefined;
}

export function buildTarget({ namespace, name, secretRef, syncedAt }: TargetFields): Target {
  return {
    apiVersion,
    kind: "Target",
    metadata: {
      name,
      namespace,
      labels: { [labels.targetSync]: madeLabelValue },
      ...(syncedAt === undefined ? {} : { annotations: { [annotations.lastTargetSync]: toTimestamp(syncedAt) } }),
    },
    spec: { type: kubernetesClusterTargetType, secretRef: { ...secretRef } },
  };
}

/** Reference to the Secret of a Target with the same name. */
export function refToSecret(name: string): LocalRef {
  return { name, key: kubeconfigKey };
}

export interface SecretFields extends Name {
  readonly type?: string | undefined;
  readonly data: Readonly<Record<string, string>>;
}

export function buildSecret({ namespace, name, type, data }: SecretFields): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: { [labels.targetSync]: madeLabelValue } },
    ...(type === undefined ? {} : { type }),
    data: { ...data },
  };
}

/** The wanted object over the one that is there. Throws for an object of somebody else, which is never touched. */
export function mergeMade<T extends KubeObject>(existing: T, desired: T): T {
  if (!isMade(existing)) {
    throw new LandscaperError({
      message: `${desired.kind} ${nameOf(desired)} exists already and was made by somebody else: it is left alone`,
      reason: "TargetSyncConflict",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
    });
  }
  const { metadata } = existing;
  const { annotations: wanted } = desired.metadata;
  return {
    ...existing,
    ...desired,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...desired.metadata.labels },
      ...(wanted === undefined ? {} : { annotations: { ...metadata.annotations, ...wanted } }),
    },
  };
}
