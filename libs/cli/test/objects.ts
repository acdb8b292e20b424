// Installations, Executions and DeployItems as a core and deployers leave them, for tests.
import {
  apiVersion,
  type DeployItem,
  type DeployItemSpec,
  type DeployItemStatus,
  type Execution,
  type ExecutionStatus,
  type Installation,
  type InstallationSpec,
  type InstallationStatus,
  type KubeObject,
  type ObjectMeta,
} from "@landscaper/api";

export const created = "2026-01-01T00:00:00Z";
/** Ten minutes later. */
export const now = Date.parse("2026-01-01T00:10:00Z");

interface State {
  readonly name: string;
  readonly annotations?: Record<string, string>;
  readonly isDeleting?: boolean;
  readonly generation?: number;
}

function metaOf(state: State, owner?: { readonly kind: string; readonly name: string }): ObjectMeta {
  const { name, annotations, isDeleting, generation = 1 } = state;
  return {
    name,
    namespace: "ns",
    uid: `uid-${owner?.kind ?? ""}-${name}`,
    generation,
    creationTimestamp: created,
    ...(annotations === undefined ? {} : { annotations }),
    ...(isDeleting === true ? { deletionTimestamp: created } : {}),
  };
}

function ownedBy(owner: KubeObject): Pick<ObjectMeta, "ownerReferences"> {
  const { name = "", uid = "" } = owner.metadata;
  return { ownerReferences: [{ apiVersion, kind: owner.kind, name, uid, controller: true }] };
}

export interface InstallationState extends State {
  readonly parent?: Installation;
  /** Template name. */
  readonly item?: string;
  /** dataRefs that it imports and exports. */
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly spec?: Partial<InstallationSpec>;
  readonly status?: Partial<InstallationStatus>;
}

export function installation(state: InstallationState): Installation {
  const { parent, item, from, to, spec, status } = state;
  const flows = (names: readonly string[] = []) => ({ data: names.map((dataRef) => ({ name: dataRef, dataRef })) });
  const annotations = {
    ...state.annotations,
    ...(item === undefined ? {} : { "landscaper.gardener.cloud/subinstallation-name": item }),
  };
  return {
    apiVersion,
    kind: "Installation",
    metadata: { ...metaOf({ ...state, annotations }), ...(parent === undefined ? {} : ownedBy(parent)) },
    spec: {
      blueprint: { inline: { filesystem: {} } },
      ...(from === undefined ? {} : { imports: flows(from) }),
      ...(to === undefined ? {} : { exports: flows(to) }),
      ...spec,
    },
    ...(status === undefined ? {} : { status: { observedGeneration: 1, ...status } }),
  };
}

export function execution(parent: Installation, status?: ExecutionStatus): Execution {
  const name = parent.metadata.name ?? "";
  return {
    apiVersion,
    kind: "Execution",
    metadata: { ...metaOf({ name }, { kind: "exec", name }), ...ownedBy(parent) },
    spec: {},
    ...(status === undefined ? {} : { status }),
  };
}

export interface DeployItemState extends Omit<State, "name"> {
  readonly item: string;
  readonly dependsOn?: string;
  readonly spec?: Partial<DeployItemSpec>;
  readonly status?: Partial<DeployItemStatus>;
}

export function deployItem(parent: Execution, state: DeployItemState): DeployItem {
  const { item, dependsOn, spec, status } = state;
  const annotations = {
    ...state.annotations,
    ...(dependsOn === undefined ? {} : { "execution.landscaper.gardener.cloud/dependsOn": dependsOn }),
  };
  const metadata = metaOf({ ...state, annotations, name: `${parent.metadata.name}-${item}` });
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: { ...metadata, ...ownedBy(parent), labels: { "execution.landscaper.gardener.cloud/name": item } },
    spec: { type: "landscaper.gardener.cloud/mock", ...spec },
    ...(status === undefined ? {} : { status: { observedGeneration: 1, ...status } }),
  };
}

/** A job that has ended. */
export function ended<P extends string>(phase: P, jobID = "j1") {
  return { phase, jobID, jobIDFinished: jobID, transitionTimes: { finishedTime: "2026-01-01T00:07:00Z" } };
}

/** A job that is at work. */
export function open<P extends string>(phase: P, jobID = "j2") {
  return { phase, jobID, jobIDFinished: "j1", phaseTransitionTime: "2026-01-01T00:07:00Z" };
}

export function failure(reason: string, message: string, codes: string[] = []) {
  return {
    lastError: {
      operation: "Test",
      reason,
      message,
      lastTransitionTime: created,
      lastUpdateTime: created,
      ...(codes.length > 0 ? { codes } : {}),
    },
  };
}
