import { resources, type Environment } from "@landscaper/api";
import type { Client, Manager } from "@landscaper/controller-runtime";
import type { AgentSettings } from "./agent-settings.ts";
import { keepAgent } from "./keep-agent.ts";
import { createWake, relevantState } from "./wake.ts";

export interface KeeperOptions {
  readonly settings: AgentSettings;
  /** Of the host cluster. Its owner closes it. */
  readonly host: Client;
}

/** Has the manager, whose client is that of the landscaper cluster, keep the Environment and the host while the process has its Lease. */
export function addKeeper(manager: Manager, { settings, host }: KeeperOptions): void {
  const { clock, log } = manager;
  const fieldSelector = `metadata.name=${settings.environment}`;
  const environments = manager.informer(resources.environment, { fieldSelector });
  const wake = createWake(clock);
  environments.addHandler({
    onAdd: wake.call,
    onUpdate: (environment: Environment, previous) => {
      if (relevantState(environment) !== relevantState(previous)) wake.call();
    },
    onDelete: wake.call,
  });
  const context = {
    settings,
    client: manager.client,
    host: manager.guard(host),
    environments: environments.lister,
    clock,
    log: log.child({ environment: settings.environment }),
    wake,
    report: (problem: string | undefined) => manager.reportProblem("agent", problem),
    random: Math.random,
  };
  manager.addRunnable("environment", (signal) => keepAgent(context, signal));
}
