import type { Installation } from "@landscaper/api";
import { namespaceOf, uidOf } from "../object-reading.ts";
import type { ClusterCall } from "./cluster-call.ts";
import { argumentError } from "./target-argument.ts";

/** Asks the cluster behind a call; throws LandscaperError. */
export type Ask = (
  call: ClusterCall,
  at: { readonly namespace: string; readonly signal: AbortSignal },
) => Promise<unknown>;

/**
 * What only a cluster knows, for templates, which are rendered without waiting (helm.md §4.7): a rendering that lacks an answer ends, the
 * cluster is asked, and it begins anew. Every attempt of a job gets the same answers.
 */
export interface TemplateAnswers {
  /** All answers of the job so far, by call; they are credentials. */
  known(installation: Installation): readonly (readonly [string, unknown])[];
  /** The answer to a call, which `key` tells from others. */
  answer(
    installation: Installation,
    question: { readonly key: string; readonly call: ClusterCall },
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** More different calls in one job are a mistake. */
const maxAnswers = 100;
/** Installations whose last jobs are remembered. */
const maxJobs = 1_000;

interface JobAnswers {
  readonly jobID: string;
  readonly answers: Map<string, unknown>;
}

export function createTemplateAnswers(ask: Ask): TemplateAnswers {
  const jobs = new Map<string, JobAnswers>();
  const answersOf = (installation: Installation): Map<string, unknown> => {
    const uid = uidOf(installation);
    const { jobID = "" } = installation.status ?? {};
    const known = jobs.get(uid);
    const current = known?.jobID === jobID ? known : { jobID, answers: new Map<string, unknown>() };
    return current.answers;
  };
  const keep = (installation: Installation, answers: Map<string, unknown>): void => {
    jobs.delete(uidOf(installation));
    jobs.set(uidOf(installation), { jobID: installation.status?.jobID ?? "", answers });
    const [oldest] = jobs.keys();
    if (jobs.size > maxJobs && oldest !== undefined) jobs.delete(oldest);
  };
  return {
    known: (installation) => [...answersOf(installation)],
    answer: async (installation, { key, call }, signal) => {
      const answers = answersOf(installation);
      if (answers.size >= maxAnswers) {
        throw argumentError(call.name, `expected at most ${maxAnswers} different calls in one job, found more`);
      }
      answers.set(key, await ask(call, { namespace: namespaceOf(installation), signal }));
      keep(installation, answers);
      return answers.get(key);
    },
  };
}
