import { compareResourceVersions, type TransitionData } from "@landscaper/api";
import { deletedPhase } from "./transition-event.ts";
import type { EventKind, ObjectVersion } from "./object-version.ts";

/** State of an object after its last transition. */
export interface ObjectState extends Pick<
  ObjectVersion,
  "namespace" | "name" | "resourceVersion" | "phase" | "jobID" | "jobIDFinished"
> {
  /** True if the object was removed. Deployers may also store a phase that is called like that of a deletion. */
  readonly isDeleted?: true | undefined;
}

export interface Observation {
  readonly kind: EventKind;
  readonly version: ObjectVersion;
  readonly isDeleted?: boolean | undefined;
  /** The version comes from a list: versions before it may have been missed. */
  readonly isListed?: boolean | undefined;
}

/**
 * Returns the event of an observed version, or undefined if the version is not a transition: a repeated version, or one without a change of phase or
 * job. An object without a state has its first transition with its first phase or job, or with its deletion.
 */
export function findTransition(state: ObjectState | undefined, observation: Observation): TransitionData | undefined {
  const { kind, version, isDeleted = false, isListed = false } = observation;
  const order = compareResourceVersions(version.resourceVersion, state?.resourceVersion);
  // A list never shows an older version, unless the API server was restored from a backup.
  const isUndone = isListed && order !== undefined && order < 0;
  if (order !== undefined && order <= 0 && !isUndone) return undefined;
  if (!isDeleted && !isUndone && !hasChanged(state, version)) return undefined;
  const error = isDeleted ? undefined : version.error;
  return {
    ...factsOf(kind, isDeleted ? { ...version, phase: deletedPhase } : version),
    ...(state === undefined ? {} : { previousPhase: state.phase }),
    ...(error === undefined ? {} : { error }),
    ...(isDeleted ? { deleted: true } : {}),
    ...(state === undefined ? {} : { previous: state.resourceVersion }),
    ...(isListed ? { gap: true } : {}),
  };
}

type Facts = Pick<
  TransitionData,
  "kind" | "namespace" | "name" | "uid" | "resourceVersion" | "phase" | "jobID" | "jobIDFinished"
>;

/** Returns the fields of an event that depend only on the version of the object. */
export function factsOf(
  kind: EventKind,
  { namespace, name, uid, resourceVersion, phase, jobID, jobIDFinished }: Omit<ObjectVersion, "error">,
): Facts {
  return {
    kind,
    namespace,
    name,
    uid,
    resourceVersion,
    phase,
    ...(jobID === "" ? {} : { jobID }),
    ...(jobIDFinished === "" ? {} : { jobIDFinished }),
  };
}

function hasChanged(state: ObjectState | undefined, version: ObjectVersion): boolean {
  const { phase = "", jobID = "", jobIDFinished = "" } = state ?? {};
  return phase !== version.phase || jobID !== version.jobID || jobIDFinished !== version.jobIDFinished;
}

/** Returns the state that an event leaves its object in. */
export function stateAfter(data: TransitionData): ObjectState {
  const { namespace, name, resourceVersion, phase, jobID = "", jobIDFinished = "", deleted } = data;
  // Most objects at rest have one text for both jobs; one string instead of two is kept in memory.
  return {
    namespace,
    name,
    resourceVersion,
    phase,
    jobID,
    jobIDFinished: jobIDFinished === jobID ? jobID : jobIDFinished,
    ...(deleted === true ? { isDeleted: true } : {}),
  };
}
