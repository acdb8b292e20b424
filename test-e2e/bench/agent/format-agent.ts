import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { agentBudget, type AgentBenchmark, type AgentInstall } from "./agent.ts";

const seconds = (value: number): string => `${value.toFixed(1)} s`;

const steps: readonly (readonly [keyof AgentInstall, string])[] = [
  // It works before its probe says so.
  ["installations", "Installations of all deployers"],
  ["agent", "the agent is ready"],
  ["deployItems", "DeployItems"],
  ["deployments", "Deployments"],
  ["running", "all deployers run"],
  ["available", "all Deployments are available"],
  ["seconds", "the Environment has succeeded"],
];

/** The report of `npm run bench -- agent`. */
export function formatAgent({ rounds, directSeconds, agent, misses }: AgentBenchmark): string {
  const headings = ["", "median", ...rounds.map((_, index) => `round ${index + 1}`)];
  const ratios = [{ directSeconds, agent }, ...rounds].map((one) => one.agent.seconds / one.directSeconds);
  return [
    "Four deployers on a real node, since the start of helm",
    "",
    formatTable([
      headings,
      ["four helm install --wait at once", seconds(directSeconds), ...rounds.map((one) => seconds(one.directSeconds))],
      ...steps.map(([step, what]) => [
        `by the agent: ${what}`,
        seconds(agent[step]),
        ...rounds.map((one) => seconds(one.agent[step])),
      ]),
      [`ratio, at most ${agentBudget}`, ...ratios.map((ratio) => ratio.toFixed(2))],
    ]),
    "",
    ...formatVerdict(misses),
  ].join("\n");
}
