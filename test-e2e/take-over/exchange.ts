// What the original's core and its deployers write into the status of a deploy item, one after the other: written by hand from the
// specification of the protocol (core.md §2.7, deployers.md §3.1 and §3.2), as are the objects of ./recorded-object.ts.
import { isFinal } from "../src/kits/contract-names.ts";
import type { Status } from "../src/kits/plain-api.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One write; undefined fields go. */
export type Write = (before: Status, at: Moment) => Fields;

/** What the writes of a moment are made of. */
export interface Moment {
  /** As Go writes it. */
  readonly now: string;
  readonly generation: number;
  readonly jobID: string;
}

/** A job of an item: what its core writes, and the deployer after that. */
export interface Exchange {
  readonly core: Write;
  readonly deployer: readonly Write[];
}

const times = (before: Status, added: Readonly<Record<string, string>>): Fields => ({
  transitionTimes: { ...before.transitionTimes, ...added },
});

/** The core hands out a job. */
const trigger: Write = ({ observedGeneration = 0 }, { jobID, now }) => ({
  observedGeneration,
  jobID,
  jobIDGenerationTime: now,
  transitionTimes: { triggerTime: now },
});

const pickUp =
  (phase: "Init" | "InitDelete"): Write =>
  (before, { now, generation }) => ({
    phase,
    observedGeneration: generation,
    lastReconcileTime: now,
    deployer: { identity: "original-1762164000", name: "original", version: "v0.140.0" },
    lastError: undefined,
    firstError: undefined,
    lastErrors: undefined,
    ...times(before, { initTime: now }),
  });

const work =
  (phase: "Progressing" | "Deleting"): Write =>
  () => ({ phase });

const end =
  (phase: "Succeeded" | "Failed", more: (at: Moment) => Fields = () => ({})): Write =>
  (before, at) => ({ phase, jobIDFinished: at.jobID, ...times(before, { finishedTime: at.now }), ...more(at) });

const failure =
  (told: { readonly reason: string; readonly message: string; readonly codes: readonly string[] }) =>
  ({ now }: Moment): Fields => {
    const error = { operation: "Reconcile", ...told, lastTransitionTime: now, lastUpdateTime: now };
    return { lastError: error, firstError: error, lastErrors: [error] };
  };

const unreadable = failure({
  reason: "ParsingConfiguration",
  message: "the configuration cannot be read",
  codes: ["ERR_CONFIGURATION_PROBLEM"],
});
const late = failure({
  reason: "ProgressingTimeout",
  message: 'timeout at: "readiness checks"',
  codes: ["ERR_TIMEOUT"],
});

export const succeeding: Exchange = {
  core: trigger,
  deployer: [pickUp("Init"), work("Progressing"), end("Succeeded")],
};
/** By its timeout, at work. */
export const failing: Exchange = {
  core: trigger,
  deployer: [pickUp("Init"), work("Progressing"), end("Failed", late)],
};
/** A job that ends before any work, as where the Target is missing: one write picks it up and ends it. */
export const refusing: Exchange = {
  core: trigger,
  deployer: [
    (before, at) => {
      const pickedUp = written(before, pickUp("Init")(before, at));
      return { ...pickedUp, ...end("Failed", unreadable)(pickedUp, at) };
    },
  ],
};
/** The deployer's last write is that of the finalizer: the item is gone. */
export const deleting: Exchange = { core: trigger, deployer: [pickUp("InitDelete"), work("Deleting")] };

/** Applies a write to a status. */
export function written(before: Status, fields: Fields): Status {
  return Object.fromEntries(Object.entries({ ...before, ...fields }).filter(([, field]) => field !== undefined));
}

/** What the protocol says of one version of a status; times by their presence, errors by their codes. */
export interface Turn {
  /** "at work" for the phases of a running job, which deployers may name otherwise. */
  readonly phase: string;
  readonly jobID: string | undefined;
  readonly jobIDFinished: string | undefined;
  readonly observedGeneration: number | undefined;
  readonly isPickedUp: boolean;
  readonly transitionTimes: readonly string[];
  readonly deployer: readonly string[];
  readonly codes: unknown;
}

export function turnOf(status: Status): Turn {
  const { phase = "", jobID, jobIDFinished, observedGeneration, lastReconcileTime = "", transitionTimes = {} } = status;
  const { lastError, firstError, jobIDGenerationTime: generated } = status;
  // An open job in a final phase, or in none, has not begun; its last time is that of the job before.
  const hasBegun = jobID === jobIDFinished || (phase !== "" && !isFinal(phase));
  return {
    phase: phase === "" || isFinal(phase) ? phase : "at work",
    jobID,
    jobIDFinished,
    observedGeneration,
    // core.md §2.8
    isPickedUp:
      hasBegun &&
      lastReconcileTime !== "" &&
      Date.parse(lastReconcileTime) >= Date.parse(typeof generated === "string" ? generated : ""),
    transitionTimes: Object.keys(transitionTimes).toSorted(),
    deployer: Object.keys(Object(status["deployer"])).toSorted(),
    codes: [lastError, firstError].map((error) => Reflect.get(Object(error), "codes")),
  };
}

/** The turns of versions, oldest first, without repetitions. */
export function turnsOf(versions: readonly Status[]): readonly Turn[] {
  const turns = versions.map(turnOf);
  return turns.filter((turn, at) => JSON.stringify(turn) !== JSON.stringify(turns[at - 1]));
}

/** The turns of a whole exchange that begins with this status. */
export function playedTurns({ core, deployer }: Exchange, before: Status, at: Moment): readonly Turn[] {
  const versions: Status[] = [];
  let status = before;
  for (const write of [core, ...deployer]) {
    status = written(status, write(status, at));
    versions.push(status);
  }
  return turnsOf(versions);
}
