import { goJsonStringify, type Installation } from "@landscaper/api";
import type { TemplateHost } from "@landscaper/blueprint";
import { namespaceOf, uidOf } from "../object-reading.ts";
import { argumentError } from "./target-argument.ts";
import { clusterFunctionNames, type ClusterCall } from "./ask-cluster.ts";

/** Asks the cluster behind a call; throws LandscaperError. */
export type Ask = (
  call: ClusterCall,
  at: { readonly namespace: string; readonly signal: AbortSignal },
) => Promise<unknown>;

/**
 * Lets templates, which are rendered without waiting, have what only a cluster knows (helm.md §4.7): a rendering that lacks an answer
 * ends, the cluster is asked, and it begins anew. Every attempt of a job gets the same answers.
 */
export interface TemplateAnswers {
  /** `render` is called again and again with the same input, until it has all that it needs. It must not keep anything between. */
  render<T>(installation: Installation, render: (host: TemplateHost) => T, signal: AbortSignal): Promise<T>;
  /** All answers that templates of the Installation have got in its job; they are credentials. */
  secretsOf(installation: Installation): readonly unknown[];
}

/** More different calls in one job are a mistake. */
const maxAnswers = 100;
/** Installations whose last jobs are remembered. */
const maxJobs = 1_000;

class AnswerNeeded extends Error {
  override readonly name = "AnswerNeeded";
  readonly key: string;
  readonly call: ClusterCall;

  constructor(key: string, call: ClusterCall) {
    super(`${call.name} needs an answer`);
    this.key = key;
    this.call = call;
  }
}

interface JobAnswers {
  readonly jobID: string;
  readonly answers: Map<string, unknown>;
}

/** The functions of one rendering: what is known is given, what is not ends the rendering. */
function hostOf(answers: ReadonlyMap<string, unknown>): TemplateHost {
  const functions = clusterFunctionNames.map((name) => [
    name,
    (...args: readonly unknown[]) => {
      const key = goJsonStringify([name, ...args]);
      if (answers.has(key)) return answers.get(key);
      throw new AnswerNeeded(key, { name, args });
    },
  ]);
  return { functions: Object.fromEntries(functions) as NonNullable<TemplateHost["functions"]> };
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
    render: async (installation, render, signal) => {
      const answers = answersOf(installation);
      for (;;) {
        try {
          return render(hostOf(answers));
        } catch (error) {
          if (!(error instanceof AnswerNeeded)) throw error;
          const { key, call } = error;
          if (answers.size >= maxAnswers) {
            throw argumentError(call.name, `expected at most ${maxAnswers} different calls in one job, found more`);
          }
          answers.set(key, await ask(call, { namespace: namespaceOf(installation), signal }));
          keep(installation, answers);
        }
      }
    },
    secretsOf: (installation) => [...answersOf(installation).values()],
  };
}
