import type { Environment } from "../services/environment.ts";
import { judgeMistake } from "./judge-mistake.ts";
import type { Mistake, Outputs, Surroundings, Verdict } from "./mistake.ts";
import { readOutputs } from "./read-outputs.ts";

/** Most mistakes wait for a deployer that retries: two processors can run this many. */
const maxInFlight = 28;

export interface Judged {
  readonly verdict: Verdict;
  readonly outputs: Outputs;
}

export interface MistakesOptions extends Surroundings {
  readonly environment: Environment;
  /** File with the kubeconfig of a user. */
  readonly kubeconfig: string;
}

/** Makes all mistakes, each in a namespace of its own, some at a time. Returns a promise of each mistake's verdict, by title. */
export function makeMistakes(
  mistakes: readonly Mistake[],
  { environment, kubeconfig, registry }: MistakesOptions,
): ReadonlyMap<string, Promise<Judged>> {
  const lanes: Promise<unknown>[] = [];
  const judged = new Map<string, Promise<Judged>>();
  for (const [index, mistake] of mistakes.entries()) {
    const lane = index % maxInFlight;
    const isFree = lanes[lane] ?? Promise.resolve();
    const made = isFree.then(async () => await makeMistake(mistake, { environment, kubeconfig, registry }));
    judged.set(mistake.title, made);
    // The mistake's own test reports a failure.
    lanes[lane] = made.catch(() => undefined);
  }
  return judged;
}

async function makeMistake(mistake: Mistake, { environment, kubeconfig, registry }: MistakesOptions): Promise<Judged> {
  const scope = await environment.namespace("mistake");
  await mistake.make(scope, { registry });
  const outputs = await readOutputs(scope, kubeconfig);
  return { verdict: judgeMistake(mistake, outputs), outputs };
}
