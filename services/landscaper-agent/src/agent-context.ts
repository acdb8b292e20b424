import type { Environment, Target } from "@landscaper/api";
import type { Client, Clock, Lister, Logger } from "@landscaper/controller-runtime";
import type { AgentSettings } from "./agent-settings.ts";

/** What the work of an agent beside its deployer uses. */
export interface AgentContext {
  readonly settings: AgentSettings;
  /** Of the landscaper cluster; its writes are observed by the lister. */
  readonly client: Client;
  readonly host: Client;
  readonly environments: Lister<Environment>;
  readonly targets: Lister<Target>;
  /** Tells the cluster of the host from others; known when the agent works. */
  readonly hostCluster: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}
