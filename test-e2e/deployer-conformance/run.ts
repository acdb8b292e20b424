import { apiVersion, connect } from "../src/kits/plain-api.ts";
import { allScenarios } from "./all-scenarios.ts";
import { Deviation } from "./expectations.ts";
import { openLandscape, type Landscape, type LandscapeOptions } from "./landscape.ts";
import { openPlace, type Trace } from "./place.ts";
import type { Profile } from "./profile.ts";
import { judgeRule, judgeSecrets, rules, secretRule } from "./rules.ts";
import { whyLeftOut, type LeftOut, type Scenario } from "./scenario.ts";

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly contract: string;
  readonly outcome: "passed" | "failed" | LeftOut["outcome"];
  /** Whether deployers of the original do otherwise, too. */
  readonly isStricter?: boolean | undefined;
  /** Why it has failed, is not applicable or not judged. */
  readonly detail?: string;
  readonly seconds: number;
}

export interface RunOptions extends LandscapeOptions {
  /** By default all. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Scenarios at a time: 16 by default. */
  readonly parallel?: number | undefined;
}

/** A run that has begun. */
export interface Run {
  /** Results in the order of the list, each as soon as it is known; rules come last. */
  readonly results: readonly { readonly id: string; readonly title: string; readonly result: Promise<Result> }[];
  /** When all is over and closed: the namespaces of the kit that have not gone, each with what keeps it. */
  readonly ended: Promise<readonly string[]>;
}

/** IDs as a whole; titles by a part, in any case. */
function isMeant({ id, title }: Pick<Scenario, "id" | "title">, part: string | undefined): boolean {
  if (part === undefined) return true;
  return id.toLowerCase() === part.toLowerCase() || title.toLowerCase().includes(part.toLowerCase());
}

/** The scenario of this ID, or those whose titles have the part; all without it. */
export function listScenarios(part?: string): readonly Scenario[] {
  return allScenarios.filter((scenario) => isMeant(scenario, part));
}

/** The scenarios that are not played with the profile, and why. */
export function listLeftOut(profile: Profile): readonly (LeftOut & { readonly id: string })[] {
  return allScenarios.flatMap((scenario) => {
    const found = whyLeftOut(profile, scenario);
    return found === undefined ? [] : [{ id: scenario.id, ...found }];
  });
}

interface Played {
  readonly result: Result;
  readonly traces: readonly Trace[];
}

const messageOf = (error: unknown): string => {
  if (error instanceof Deviation) return error.message;
  return `the scenario could not be played: ${error instanceof Error ? error.message : String(error)}`;
};

async function play(landscape: Landscape, scenario: Scenario): Promise<Played> {
  const { id, title, contract, isStricter } = scenario;
  const startedAt = performance.now();
  const problems: string[] = [];
  let traces: readonly Trace[] = [];
  try {
    const place = await openPlace(landscape, id);
    await scenario.run(place).catch((error: unknown) => problems.push(messageOf(error)));
    traces = await place.close();
  } catch (error) {
    problems.push(messageOf(error));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const [detail] = problems;
  const base = { id, title, contract, isStricter, seconds };
  const result: Result = detail === undefined ? { ...base, outcome: "passed" } : { ...base, outcome: "failed", detail };
  return { result, traces };
}

/** Lets at most so many works run at a time; the others wait for their turn. */
function createTurnstile(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

interface Plan {
  readonly landscape: Landscape;
  readonly scenarios: readonly Scenario[];
  readonly parallel: number;
}

/** Starts them, at most so many at a time; those that want to be alone come last, one by one. */
function playAll({ landscape, scenarios, parallel }: Plan): ReadonlyMap<Scenario, Promise<Played>> {
  const inTurn = createTurnstile(parallel);
  const played = new Map<Scenario, Promise<Played>>();
  for (const scenario of scenarios.filter(({ isAlone }) => isAlone !== true)) {
    played.set(
      scenario,
      inTurn(async () => play(landscape, scenario)),
    );
  }
  let last: Promise<unknown> = Promise.all(played.values());
  for (const scenario of scenarios.filter(({ isAlone }) => isAlone === true)) {
    const alone = last.then(async () => play(landscape, scenario));
    played.set(scenario, alone);
    last = alone;
  }
  return played;
}

function judge(problems: readonly string[], rule: Pick<Result, "id" | "title" | "contract">, isSeen: boolean): Result {
  const { id, title, contract } = rule;
  const base = { id, title, contract, seconds: 0 };
  if (!isSeen) return { ...base, outcome: "not judged", detail: "no item was written" };
  const [first] = problems;
  if (first === undefined) return { ...base, outcome: "passed" };
  const others = problems.length > 1 ? `\nand ${problems.length - 1} more` : "";
  return { ...base, outcome: "failed", detail: `${first}${others}` };
}

/** Throws an error that says so when the cluster cannot be reached, or serves no DeployItems. */
export async function checkCluster({ kubeconfig }: Pick<RunOptions, "kubeconfig">): Promise<void> {
  const cluster = connect(kubeconfig);
  const { client } = cluster;
  try {
    await client.request({ method: "GET", path: `/apis/${apiVersion}/deployitems?limit=1` });
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : "another answer";
    throw new Error(`${client.server}: expected an API server that serves DeployItems, found: ${found}`, { cause });
  } finally {
    await cluster.close();
  }
}

/** Plays the scenarios against the deployer that the profile tells of, and judges all that it wrote by the rules. */
export function startRun({ scenarios = allScenarios, parallel = 16, ...options }: RunOptions): Run {
  const landscape = openLandscape(options);
  const judged = scenarios.filter((scenario) => whyLeftOut(options.profile, scenario) === undefined);
  const played = playAll({ landscape, scenarios: judged, parallel });
  const all = Promise.all(played.values());
  const traces = all.then((list) => list.flatMap((each) => each.traces));
  const resultOf = async (scenario: Scenario): Promise<Result> => {
    const { id, title, contract, isStricter } = scenario;
    const leftOut = whyLeftOut(options.profile, scenario);
    if (leftOut !== undefined) {
      return { id, title, contract, isStricter, outcome: leftOut.outcome, detail: leftOut.why, seconds: 0 };
    }
    const found = await played.get(scenario);
    if (found === undefined) throw new Error(`${id} was not played`);
    return found.result;
  };
  const judgeAll = async (rule: (typeof rules)[number] | typeof secretRule): Promise<Result> => {
    const seen = await traces;
    const isSeen = seen.some(({ history }) => history.names().some((name) => history.writes(name).length > 0));
    const problems = "judge" in rule ? judgeRule(rule, seen) : judgeSecrets(seen, landscape.findSecret);
    return judge(problems, rule, isSeen);
  };
  return {
    results: [
      ...scenarios.map((scenario) => ({ id: scenario.id, title: scenario.title, result: resultOf(scenario) })),
      ...[...rules, secretRule].map((rule) => ({ id: rule.id, title: rule.title, result: judgeAll(rule) })),
    ],
    ended: all.then(async () => {
      try {
        return await landscape.findLeftNamespaces();
      } finally {
        await landscape.close();
      }
    }),
  };
}
