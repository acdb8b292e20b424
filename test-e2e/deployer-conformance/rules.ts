import { isSameJson } from "./same-json.ts";
import { finalizer, isFinal, operation } from "../src/kits/contract-names.ts";
import type { Item, Status } from "../src/kits/plain-api.ts";
import { listChanges } from "./changes.ts";
import { show, timestamp } from "./expectations.ts";
import { witness } from "./landscaper.ts";
import type { Trace } from "./place.ts";

/** Two versions, the second of which the deployer has written. */
export interface JudgedWrite {
  readonly before: Item;
  readonly after: Item;
  /** Whether the annotation test-reconcile has been there: the deployer gives such a job its ID itself. */
  readonly isTested: boolean;
}

/** What holds for every write of a deployer, whatever the scenario; judged on all that was seen. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** The sentence of the contract that it stands for, in our words, and where that stands. */
  readonly contract: string;
  /** What the write does against the rule; undefined when nothing. */
  judge(write: JudgedWrite): string | undefined;
}

const statusOf = (item: Item): Status => item.status ?? {};
const isOpen = ({ jobID = "", jobIDFinished }: Status): boolean => jobID !== "" && jobID !== jobIDFinished;
const hasEnded = ({ jobID = "", jobIDFinished }: Status): boolean => jobID !== "" && jobID === jobIDFinished;
const deletionPhases = ["InitDelete", "Deleting", "DeleteFailed"];
const installPhases = ["Init", "Progressing", "Processing", "Completing", "Failed"];
const phases = [...installPhases, ...deletionPhases, "Succeeded"];

/** The first of the fields that the write changes, as a text. */
function findChange({ before, after }: JudgedWrite, fields: readonly string[]): string | undefined {
  const [change] = listChanges(statusOf(before), statusOf(after)).filter(({ path }) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
  return change && `status.${change.path}: ${show(change.before)} -> ${show(change.after)}`;
}

function withoutOwn(item: Item): unknown {
  const { finalizers = [], annotations = {} } = item.metadata;
  const { [operation]: _asked, ...others } = annotations;
  const foreign = finalizers.filter((name) => name !== finalizer);
  // Sent by the cluster when the last finalizer goes.
  const deletion = { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined };
  const metadata = {
    ...item.metadata,
    ...deletion,
    finalizers: foreign,
    annotations: others,
    managedFields: undefined,
  };
  return { metadata, spec: item.spec };
}

function findWitness({ conditions }: Status): unknown {
  const list: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
  return list.find((condition) => Reflect.get(Object(condition), "type") === witness.type);
}

const errorFields = ["operation", "reason", "message", "lastTransitionTime", "lastUpdateTime"];

export const rules: readonly Rule[] = [
  {
    id: "R1",
    title: "ends a job by one write: a final phase and jobIDFinished together",
    contract:
      "Equal job IDs imply a final phase, because the Landscaper goes on with the first of both (seed-002, Status)",
    judge({ before, after }) {
      const [old, next] = [statusOf(before), statusOf(after)];
      if (hasEnded(next) && !isFinal(next.phase)) {
        return `status.phase: expected a final one beside jobIDFinished = jobID, found ${show(next.phase)}`;
      }
      const isEarly = isOpen(next) && isFinal(next.phase) && next.phase !== old.phase;
      return isEarly
        ? `status.jobIDFinished: expected ${show(next.jobID)} beside phase ${show(next.phase)}, found ${show(next.jobIDFinished)}`
        : undefined;
    },
  },
  {
    id: "R2",
    title: "never gives an item a job, and finishes none but the present one",
    contract: "jobID is the Landscaper's; the deployer sets jobIDFinished to its value (seed-002, Status)",
    judge({ before, after, isTested }) {
      const [old, next] = [statusOf(before), statusOf(after)];
      if (old.jobID !== next.jobID && !isTested) return `status.jobID: ${show(old.jobID)} -> ${show(next.jobID)}`;
      const isOther = next.jobIDFinished !== old.jobIDFinished && next.jobIDFinished !== next.jobID;
      return isOther
        ? `status.jobIDFinished: expected ${show(next.jobID)}, found ${show(next.jobIDFinished)}`
        : undefined;
    },
  },
  {
    id: "R3",
    title: "leaves phase and times alone while no job is open",
    contract: "An item is processed only while jobID differs from jobIDFinished (seed-002, Check for Need for Action)",
    judge(write) {
      if (isOpen(statusOf(write.before)) || write.isTested) return undefined;
      return findChange(write, ["phase", "jobIDFinished", "lastReconcileTime", "lastError", "transitionTimes"]);
    },
  },
  {
    id: "R4",
    title: "changes nothing of spec and metadata but the Landscaper's finalizer and the operation that it answers",
    contract: "Spec, labels and annotations are of those who wrote them (seed-002, Structure of a Deploy Item)",
    judge({ before, after }) {
      const [change] = listChanges(withoutOwn(before), withoutOwn(after));
      return change && `${change.path}: ${show(change.before)} -> ${show(change.after)}`;
    },
  },
  {
    id: "R5",
    title: "uses the phases of the contract, those of a deletion for a deletion only",
    contract: "Init, Progressing, Succeeded, Failed; InitDelete, Deleting, DeleteFailed (seed-002, Status)",
    judge({ before, after }) {
      const { phase } = statusOf(after);
      if (phase === undefined || phase === statusOf(before).phase) return undefined;
      if (!phases.includes(phase)) return `status.phase: expected one of ${phases.join(", ")}, found ${show(phase)}`;
      const isDeleted = after.metadata.deletionTimestamp !== undefined;
      if (!isDeleted && deletionPhases.includes(phase)) return `status.phase: ${phase}, but the item is not deleted`;
      // A job that was in work when the item was deleted ends as what it was.
      const isStart = isFinal(statusOf(before).phase ?? "Succeeded") && isDeleted;
      return isStart && installPhases.includes(phase) ? `status.phase: ${phase}, but the job is a deletion` : undefined;
    },
  },
  {
    id: "R6",
    title: "says why a job has failed: operation, reason, message and times in lastError",
    contract: "A failed item tells what went wrong in status.lastError (seed-002, Status)",
    judge({ after }) {
      const { phase, lastError = {} } = statusOf(after);
      if (!isFinal(phase) || phase === "Succeeded" || !hasEnded(statusOf(after))) return undefined;
      const missing = errorFields.find((field) => typeof lastError[field] !== "string" || lastError[field] === "");
      if (missing !== undefined) return `status.lastError.${missing}: expected a text beside ${phase}, found none`;
      const times = errorFields.slice(-2).find((field) => !timestamp.holds(lastError[field]));
      return times && `status.lastError.${times}: expected ${timestamp.words}, found ${show(lastError[times])}`;
    },
  },
  {
    id: "R7",
    title: "leaves no error of the past beside a success",
    contract: "lastError is cleared when a job succeeds (deployers.md §1.1, Error history)",
    judge({ after }) {
      const { phase, lastError } = statusOf(after);
      return phase === "Succeeded" && lastError !== undefined
        ? `status.lastError: expected nothing beside Succeeded, found ${show(lastError)}`
        : undefined;
    },
  },
  {
    id: "R8",
    title: "keeps what others have in the status",
    contract: "A status is written as it was read but for what is to change (core.md §2.1)",
    judge(write) {
      const [witnessed, found] = [findWitness(statusOf(write.before)), findWitness(statusOf(write.after))];
      if (!isSameJson(witnessed, found)) {
        return `status.conditions, that of type ${witness.type}: expected ${show(witnessed)}, found ${show(found)}`;
      }
      if (write.isTested) return undefined;
      return findChange(write, ["jobIDGenerationTime", "transitionTimes.triggerTime"]);
    },
  },
  {
    id: "R9",
    title: "keeps at most five errors, and times that never go back",
    contract: "lastErrors has at most 5 entries; lastReconcileTime says when the job was picked up (deployers.md §1.1)",
    judge({ before, after }) {
      const { lastErrors, lastReconcileTime: next } = statusOf(after);
      const { lastReconcileTime: old } = statusOf(before);
      const count = Array.isArray(lastErrors) ? lastErrors.length : 0;
      if (count > 5) return `status.lastErrors: expected at most 5 entries, found ${count}`;
      if (next === undefined) return old && "status.lastReconcileTime: was removed";
      if (!timestamp.holds(next)) return `status.lastReconcileTime: expected ${timestamp.words}, found ${show(next)}`;
      const isBack = old !== undefined && Date.parse(next) < Date.parse(old);
      return isBack ? `status.lastReconcileTime: ${show(old)} -> ${show(next)}` : undefined;
    },
  },
  {
    id: "R11",
    title: "exports to the namespace of the item alone",
    contract: "The Landscaper refuses the Secret of another namespace (docs/deployer-authors.md, Exports)",
    judge({ after: { metadata, status } }) {
      const found: unknown = Reflect.get(Object(status?.exportRef), "namespace");
      if (found === undefined || found === "" || found === metadata.namespace) return undefined;
      return `status.exportRef.namespace: expected ${show(metadata.namespace)}, found ${show(found)}`;
    },
  },
];

/** The rule on secrets looks at more than writes. */
export const secretRule = {
  id: "R10",
  title: "shows no secret value in statuses, annotations and events",
  contract: "Whoever may read an item may not read its Target's access data (deployers.md §4 no. 53, §5 A6)",
} as const;

/** All that was done against a rule, as "DeployItem ns/name (scenario): ...". */
export function judgeRule(rule: Rule, traces: readonly Trace[]): string[] {
  return traces.flatMap(({ scenario, namespace, history }) =>
    history.names().flatMap((name) => {
      let isTested = false;
      return history.writes(name).flatMap(({ before, after }) => {
        isTested ||= [before, after].some(({ metadata }) => metadata.annotations?.[operation] === "test-reconcile");
        const problem = rule.judge({ before, after, isTested });
        return problem === undefined ? [] : [`DeployItem ${namespace}/${name} (${scenario}), ${problem}`];
      });
    }),
  );
}

/** Where secret values were seen; the values themselves are not told. */
export function judgeSecrets(traces: readonly Trace[], findSecret: (text: string) => string | undefined): string[] {
  return traces.flatMap(({ scenario, namespace, history, events }) => {
    const leaks = history.names().flatMap((name) => {
      const texts = history
        .writes(name)
        .map(({ after }) => ({ ...after.status, annotations: after.metadata.annotations }));
      const fields = texts.flatMap((fields) => Object.entries(fields));
      const leak = fields.find(([, value]) => findSecret(JSON.stringify(value) ?? "") !== undefined);
      return leak === undefined
        ? []
        : [`DeployItem ${namespace}/${name} (${scenario}), ${leak[0]}: has a secret value`];
    });
    return findSecret(events) === undefined
      ? leaks
      : [...leaks, `events of ${namespace} (${scenario}): have a secret value`];
  });
}
