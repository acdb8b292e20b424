import { goJsonStringify } from "@landscaper/api";
import type { TemplateHost } from "@landscaper/blueprint";
import { clusterFunctionNames, type ClusterCall } from "../template-host/cluster-call.ts";

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

/** Gives what a cluster has to be asked for. */
export type AnswerCall = (question: { readonly key: string; readonly call: ClusterCall }) => Promise<unknown>;

/**
 * Calls `render` again and again with the same input, until it has all the answers that it needs; they are added to `answers`. It must
 * not keep anything between.
 */
export async function renderAnswered<T>(
  render: (host: TemplateHost) => T,
  { answers, ask }: { readonly answers: Map<string, unknown>; readonly ask: AnswerCall },
): Promise<T> {
  for (;;) {
    try {
      return render(hostOf(answers));
    } catch (error) {
      if (!(error instanceof AnswerNeeded)) throw error;
      const { key, call } = error;
      answers.set(key, await ask({ key, call }));
    }
  }
}
