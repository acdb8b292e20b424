import { resources, type Environment, type Target } from "@landscaper/api";
import type { Client, Manager } from "@landscaper/controller-runtime";
import type { AgentSettings } from "./agent-settings.ts";
import { keepAgent } from "./keep-agent.ts";
import { createWake, relevantState } from "./wake.ts";

export interface KeeperOptions {
  readonly settings: AgentSettings;
  /** Of the host cluster. Its owner closes it. */
  readonly host: Client;
  /** UID of the cluster of the host. */
  readonly hostCluster: () => string;
}

/** Has the manager, whose client is that of the landscaper cluster, keep the Environment and the host while the process has its Lease. */
export function addKeeper(manager: Manager, { settings, host, hostCluster }: KeeperOptions): void {
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
  const targets = manager.informer(resources.target);
  const wakeForHost = ({ metadata }: Target): void => {
    if (metadata.name === settings.environment && metadata.namespace === settings.landscaperNamespace) wake.call();
  };
  targets.addHandler({ onAdd: () => undefined, onUpdate: wakeForHost, onDelete: wakeForHost });
  const context = {
    settings,
    client: manager.client,
    host: manager.guard(host),
    environments: environments.lister,
    targets: targets.lister,
    hostCluster,
    clock,
    log: log.child({ environment: settings.environment }),
    wake,
    report: (problem: string | undefined) => manager.reportProblem("agent", problem),
    random: Math.random,
  };
  manager.addRunnable("environment", (signal) => keepAgent(context, signal));
}
