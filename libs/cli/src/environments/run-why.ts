import { conditionTypes, type Environment, type Installation } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import { explain } from "../why/explain.ts";
import type { Explanation } from "../why/explanation.ts";
import { formatExplanation } from "../why/format-explanation.ts";
import { observeSubject } from "../why/observe-subject.ts";
import {
  clockWarningOf,
  conditionOf,
  describeEnvironmentPhase,
  getEnvironment,
  listDeployers,
  type EnvironmentSearch,
} from "./environment-state.ts";

/** `landscaper environments why`: from an Environment to the objects that its deployers wait for or have failed because of. */
export const runWhyEnvironment: CommandRun = async (input, context) => {
  await withCluster(input, context, async ({ client }) => {
    const search = { client, signal: context.signal };
    const environment = await getEnvironment(search, input.argument ?? "");
    const explanation = await explainEnvironment(environment, { ...search, now: context.now() });
    context.write(formatExplanation(explanation));
  });
};

interface ExplainOptions extends EnvironmentSearch {
  /** In ms since the epoch. */
  readonly now: number;
}

async function explainEnvironment(environment: Environment, options: ExplainOptions): Promise<Explanation> {
  const { metadata, status } = environment;
  const name = metadata.name ?? "";
  const installations = await listDeployers(name, options);
  const open = (status?.deployers ?? []).filter(({ phase, message }) => phase !== "Succeeded" || message !== undefined);
  const because = await Promise.all(
    open.map(async (deployer): Promise<Explanation> => {
      const installation = installations.find((one) => one.metadata.name === deployer.name);
      const isHeld = deployer.phase === "Succeeded";
      return {
        object: `Deployer ${deployer.name}`,
        phase: deployer.phase,
        state: deployer.phase === "Failed" ? "failed" : "working",
        message: deployer.message ?? "its Installation is in work",
        hints: [],
        because: installation === undefined || isHeld ? [] : [await explainInstallation(installation, options)],
      };
    }),
  );
  const warning = clockWarningOf(status?.conditions);
  const ready = conditionOf(status?.conditions, conditionTypes.ready);
  const message = status === undefined ? "the core has not looked at it; is deployer management on?" : ready?.message;
  return {
    object: `Environment ${name}`,
    phase: describeEnvironmentPhase(environment),
    state: status?.phase === "Failed" ? "failed" : "working",
    message: message ?? "",
    hints: warning === undefined ? [] : [warning],
    because,
  };
}

async function explainInstallation({ metadata }: Installation, options: ExplainOptions): Promise<Explanation> {
  const { name = "", namespace = "" } = metadata;
  const { client, signal } = options;
  const observed = await observeSubject({ kind: "Installation", name }, { client, namespace, signal });
  return explain(observed, options.now);
}
