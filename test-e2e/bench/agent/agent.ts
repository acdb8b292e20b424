// Compares four deployers installed by the agent with `helm install --wait` of their charts, all at once. Both use the same charts, images and node, and measure the
// time from the first command until all Deployments are available. The agent must also install itself, get its rights and wait for jobs of the core: its budget is
// twice the time. The contenders take turns in starting a round, and everything is removed between them. The first round only warms up; medians count.
import { agentFinalizer, agentNames, kubeResources, resources, type Environment } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { percentile } from "../measure/percentile.ts";
import { chartOf, deployerNamespace, deployers, openAgentPlace, type AgentPlace } from "./agent-place.ts";
import { watchMarks, type InstallMarks } from "./install-marks.ts";
import { listOverBudget } from "../measure/judge-figures.ts";

/** Seconds since the first helm command was started. */
export interface AgentInstall extends InstallMarks {
  /** All Deployments are available, and the Environment has succeeded. */
  readonly seconds: number;
}

export interface AgentRound {
  /** From the start of four `helm install --wait`, all at once, until the last of them has ended. */
  readonly directSeconds: number;
  readonly agent: AgentInstall;
}

export interface AgentBenchmark {
  readonly rounds: readonly AgentRound[];
  /** Medians. */
  readonly directSeconds: number;
  readonly agent: AgentInstall;
  readonly misses: readonly string[];
}

export interface AgentOptions {
  readonly rounds: number;
  /** Whether an uncounted first round fills the caches of core, node and disk. */
  readonly warmUp: boolean;
  readonly announce: (line: string) => void;
}

/** Time by the agent to that of helm alone, at most. */
export const agentBudget = 2;
const timeoutMs = 300_000;
/** Of the Environment, and of the release of the agent. */
const name = "edge";
const releaseOf = (deployer: string): string => `${deployer}-${name}`;
const releases = deployers.map(releaseOf);
const inNamespace = ["--namespace", deployerNamespace] as const;

async function installDirectly(place: AgentPlace): Promise<number> {
  const { helm, charts } = place.cluster;
  const began = performance.now();
  await Promise.all(
    deployers.map(async (deployer) => {
      await helm.run("install", releaseOf(deployer), charts.path(chartOf(deployer)), ...inNamespace, "--wait");
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(releases.map(async (release) => await helm.run("uninstall", release, ...inNamespace, "--wait")));
  await place.untilEmpty();
  return seconds;
}

async function installByAgent(place: AgentPlace): Promise<AgentInstall> {
  const { helm, charts, environment } = place.cluster;
  const watch = await watchMarks({ client: environment.client, namespace: deployerNamespace, releases, agent: name });
  const began = performance.now();
  await helm.run("install", name, charts.path("landscaper-agent"), ...inNamespace, "--set", "agent.namespaces={*}");
  await untilEnvironment(place, (found) => {
    const { phase, succeeded } = found?.status ?? {};
    const isDone = phase === "Succeeded" && succeeded === `${deployers.length}/${deployers.length}`;
    return isDone && !Number.isNaN(watch.marks().available);
  });
  const ended = performance.now();
  const marks = watch.marks();
  await watch.stop();
  await removeAgent(place);
  const since = (mark: number): number => (mark - began) / 1000;
  return {
    agent: since(marks.agent),
    installations: since(marks.installations),
    deployItems: since(marks.deployItems),
    deployments: since(marks.deployments),
    running: since(marks.running),
    available: since(marks.available),
    seconds: since(ended),
  };
}

async function untilEnvironment(
  { cluster }: AgentPlace,
  isMet: (found: Environment | undefined) => boolean,
): Promise<void> {
  const { client } = cluster.environment;
  let last: Environment | undefined;
  const look = async (): Promise<boolean> => {
    last = await client.find(resources.environment, { name });
    return isMet(last);
  };
  const describe = async (): Promise<string> => `${JSON.stringify(last)}\n${await cluster.describeLogs()}`;
  await waitFor(look, { timeoutMs, intervalMs: 50, evenly: true, describe });
}

/** As the guide of fenced clusters says. */
async function removeAgent(place: AgentPlace): Promise<void> {
  const { helm, environment } = place.cluster;
  await environment.client.delete(resources.environment, { name });
  await untilEnvironment(place, (found) => found?.metadata.finalizers?.join() === agentFinalizer);
  await helm.run("uninstall", name, ...inNamespace, "--wait");
  const body = { metadata: { finalizers: [] } };
  await environment.client.patch(resources.environment, { name }, { type: "merge", body });
  await untilEnvironment(place, (found) => found === undefined);
  await place.untilEmpty();
  // Its rights have gone with the release, so that it could not give the Lease up.
  await environment.client.delete(kubeResources.lease, { namespace: deployerNamespace, name: agentNames(name).lease });
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Medians of the rounds, and what they miss. Pure. */
export function summarizeRounds(rounds: readonly AgentRound[]): AgentBenchmark {
  const directSeconds = median(rounds.map((round) => round.directSeconds));
  const of = (field: keyof AgentInstall): number => median(rounds.map(({ agent }) => agent[field]));
  const agent = {
    agent: of("agent"),
    installations: of("installations"),
    deployItems: of("deployItems"),
    deployments: of("deployments"),
    running: of("running"),
    available: of("available"),
    seconds: of("seconds"),
  };
  const ratio = agent.seconds / directSeconds;
  const misses = listOverBudget([["time by the agent to that of helm alone", ratio, agentBudget]]);
  return { rounds, directSeconds, agent, misses };
}

/** Installs four deployers by the agent and by helm alone, in turns that begin with the one and with the other. */
export async function benchAgent({ rounds: count, warmUp, announce }: AgentOptions): Promise<AgentBenchmark> {
  const place = await openAgentPlace(announce);
  try {
    const rounds: AgentRound[] = [];
    for (let round = warmUp ? 0 : 1; round <= count; round++) {
      const isDirectFirst = round % 2 === 0;
      const before = isDirectFirst ? await installDirectly(place) : undefined;
      const agent = await installByAgent(place);
      const directSeconds = before ?? (await installDirectly(place));
      const what = round === 0 ? "warm-up" : `round ${round} of ${count}`;
      announce(`${what}: by helm ${directSeconds.toFixed(1)} s, by the agent ${agent.seconds.toFixed(1)} s`);
      if (round > 0) rounds.push({ directSeconds, agent });
    }
    return summarizeRounds(rounds);
  } finally {
    await place.stop();
  }
}
